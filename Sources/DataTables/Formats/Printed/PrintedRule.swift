/// A line that separates rows of a printed table: `+----+----+`, `----+----`, `|---|--:|` or
/// `---- ----`.
struct PrintedRule: Equatable {
  enum Form {
    /// Joints stand where lines between columns cross the rule.
    case joints
    /// As in Markdown, `|` stands between dashes.
    case pipes
    /// Blanks separate the dashes of columns, which have no lines between them.
    case gaps
  }

  let form: Form
  /// The places of all joints, in characters.
  private(set) var joints: [Int] = []
  /// The places of the dashes of each column, in characters.
  let runs: [Range<Int>]
  /// Whether a line stands before the first column, and after the last one.
  private(set) var hasLeft = false
  private(set) var hasRight = false
  /// Whether all rules are drawn with box characters.
  let isBox: Bool
  /// Whether the rule is a double or heavy line, as below a header.
  let isDouble: Bool
  /// Whether lines between columns end at the rule, as above a footer.
  private(set) var endsColumns = false
  /// Whether the rule is the lower border of a table.
  private(set) var isLowerBorder = false
  /// Whether dashes stand in each cell of a row, as below names in a table of Polars.
  private(set) var underlinesCells = false
  /// In characters.
  let length: Int

  var columns: Int { runs.count }

  /// nil for another line.
  /// - Parameter line: without blanks at its end.
  init?(_ line: [Unicode.Scalar]) {
    var joints: [Int] = []
    var runs: [Range<Int>] = []
    var fills: Set<Unicode.Scalar> = []
    for (index, scalar) in line.enumerated() {
      switch PrintedMark(scalar) {
      case .fill, .colon:
        if scalar != ":" { fills.insert(scalar) }
        if let last = runs.last, last.upperBound == index {
          runs[runs.count - 1] = last.lowerBound..<index + 1
        } else {
          runs.append(index..<index + 1)
        }
      case .joint, .vertical: joints.append(index)
      case .blank: if scalar != " " { return nil }
      case nil: return nil
      }
    }
    guard !runs.isEmpty, !fills.isEmpty else { return nil }
    length = line.count
    isDouble = fills.isDisjoint(with: ["-", "─", "╌", "┄"])
    if let columns = Self.columnsOfPackages(line) {
      (form, self.runs, isBox) = (.gaps, columns, false)
      return
    }
    self.runs = runs
    guard let first = joints.first, let last = joints.last else {
      (form, isBox) = (.gaps, false)
      guard !line.contains(":"), fills.count == 1, Self.areColumns(runs) else { return nil }
      return
    }
    let arePipes = joints.allSatisfy { line[$0] == "|" }
    form = arePipes ? .pipes : .joints
    isBox = joints.contains { line[$0].value > 0x7F }
    self.joints = joints
    hasLeft = line[..<first].allSatisfy { $0 == " " }
    hasRight = last == line.count - 1
    underlinesCells = isBox && joints.allSatisfy { PrintedMark(line[$0]) == .vertical }
    isLowerBorder = "└╰┗╘╙╚".unicodeScalars.contains(line[first])
    endsColumns = Self.endsColumns(joints.map { line[$0] })
    guard Self.areCells(line, runs, joints, hasLeft, hasRight, arePipes) else { return nil }
  }

  /// Whether runs are columns with blanks between them: a row may consist of single dashes, too.
  private static func areColumns(_ runs: [Range<Int>]) -> Bool {
    runs.contains { $0.count > 1 }
      || zip(runs, runs.dropFirst()).allSatisfy { $1.lowerBound - $0.upperBound == 2 }
        && runs.count > 1
  }

  /// Whether there is one run between each two joints.
  private static func areCells(
    _ line: [Unicode.Scalar], _ runs: [Range<Int>], _ joints: [Int], _ hasLeft: Bool,
    _ hasRight: Bool, _ arePipes: Bool
  ) -> Bool {
    guard runs.count == joints.count + 1 - (hasLeft ? 1 : 0) - (hasRight ? 1 : 0),
      runs.count > 1 || hasLeft && hasRight
    else { return false }
    var column = 0
    for joint in joints.dropFirst(hasLeft ? 1 : 0) {
      guard runs[column].upperBound <= joint else { return false }
      column += 1
      if column < runs.count, runs[column].lowerBound <= joint { return false }
    }
    let areAligned = runs.allSatisfy { run in
      line[run].count > 2 ? !line[run.dropFirst().dropLast()].contains(":") : true
    }
    // A row of delimited text may have a dash in each field.
    let isPlain = arePipes && !hasLeft && !runs.contains { $0.count > 1 }
    return areAligned && !isPlain && (arePipes || !line.contains(":"))
  }

  /// Whether a rule of box characters begins like one between rows, but closes the columns above.
  private static func endsColumns(_ joints: [Unicode.Scalar]) -> Bool {
    guard joints.count > 2, "├╟╠".unicodeScalars.contains(joints[0]) else { return false }
    return joints.dropFirst().dropLast().allSatisfy { "┴╧╩╨".unicodeScalars.contains($0) }
  }

  /// The columns of the rule in a list of Debian packages: `+++-======-=====`.
  private static func columnsOfPackages(_ line: [Unicode.Scalar]) -> [Range<Int>]? {
    guard line.starts(with: "+++-=".unicodeScalars), line.last == "=" else { return nil }
    var columns: [Range<Int>] = []
    var start = 0
    for (index, scalar) in line.enumerated() where scalar == "-" {
      if index == start { return nil }
      columns.append(start..<index)
      start = index + 1
    }
    return columns + [start..<line.count]
  }
}

/// A character of rules and of lines between columns.
enum PrintedMark {
  case fill, colon, joint, vertical, blank

  init?(_ scalar: Unicode.Scalar) {
    switch scalar {
    case " ", "\t": self = .blank
    case "-", "=", "─", "━", "═", "┄", "┅", "┈", "┉", "╌", "╍": self = .fill
    case ":": self = .colon
    case "+": self = .joint
    case "|", "│", "┃", "║", "┆", "┇", "┊", "┋", "╎", "╏": self = .vertical
    case "\u{250C}"..."\u{254B}", "\u{2552}"..."\u{2570}", "\u{2574}"..."\u{257F}": self = .joint
    default: return nil
    }
  }
}
