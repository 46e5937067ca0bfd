/// How the lines of a printed table are divided into cells.
struct PrintedColumns {
  enum Outcome {
    /// The cells without blanks around them.
    case cells([String])
    /// Cells that the next line continues.
    case continued([String], Set<Int>)
    /// The number of fields of a line that has another number.
    case fields(Int)
    /// A value extends over two columns, at a character.
    case crossed(at: Int)
    /// The line does not have the line after the last column.
    case open
    /// The line is not one of the table.
    case outside
  }

  let rule: PrintedRule
  /// Whether columns without lines between them are counted in cells of a terminal, where wide
  /// characters use two cells, and not in characters.
  private var countsCells = false

  init(rule: PrintedRule) { self.rule = rule }

  /// Measures columns without lines between them as most lines with wide characters do.
  mutating func measure(_ lines: some Sequence<[Unicode.Scalar]>) {
    guard rule.form == .gaps else { return }
    var crossed = (characters: 0, cells: 0)
    for line in lines where line.contains(where: { $0.displayWidth != 1 }) {
      countsCells = false
      if case .crossed = divideAtGaps(line) { crossed.characters += 1 }
      countsCells = true
      if case .crossed = divideAtGaps(line) { crossed.cells += 1 }
    }
    countsCells = crossed.cells < crossed.characters
  }

  var count: Int { rule.columns }

  /// - Parameter line: without blanks at its end.
  func divide(_ line: [Unicode.Scalar]) -> Outcome {
    rule.form == .gaps ? divideAtGaps(line) : divideAtLines(line)
  }

  /// Whether a line begins with the line before the first column.
  func begins(_ line: [Unicode.Scalar]) -> Bool {
    line.first { PrintedMark($0) != .blank }.map(isSeparator) ?? false
  }

  private func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    // Box characters may join, and `|` stand between the columns.
    scalar == "|" ? !rule.isBox || rule.form == .pipes : PrintedMark(scalar) == .vertical
  }
}

// Lines between columns.
extension PrintedColumns {
  private func divideAtLines(_ line: [Unicode.Scalar]) -> Outcome {
    var places = line.indices.filter { isSeparator(line[$0]) && !isEscaped($0, in: line) }
    guard let start = line.firstIndex(where: { PrintedMark($0) != .blank }) else { return .outside }
    let isMarkdown = rule.form == .pipes
    if rule.hasLeft || isMarkdown && places.first == start {
      guard places.first == start else { return .outside }
      places.removeFirst()
    } else if places.isEmpty {
      return .outside
    }
    var end = line.count
    if rule.hasRight || isMarkdown, let last = places.last, last == line.count - 1 {
      places.removeLast()
      end = last
    } else if rule.hasRight, !isMarkdown {
      return .open
    }
    if places.count > count - 1 {
      guard let found = placesAtRule(places, end: end, in: line) else {
        return .fields(places.count + 1)
      }
      places = found
    }
    guard places.count == count - 1 else { return .fields(places.count + 1) }
    let first = rule.hasLeft || isMarkdown && isSeparator(line[start]) ? start + 1 : 0
    let starts = [first] + places.map { $0 + 1 }
    return cells(line, Array(zip(starts, places + [end])).map { $0..<max($0, $1) })
  }

  private func isEscaped(_ index: Int, in line: [Unicode.Scalar]) -> Bool {
    rule.form == .pipes && index > 0 && line[index - 1] == "\\"
  }

  /// The places below the inner joints of the rule, if lines between columns stand there: others are
  /// part of cells.
  /// - Parameter end: the place of the line after the last column.
  private func placesAtRule(
    _ places: [Int], end: Int, in line: [Unicode.Scalar]
  ) -> [Int]? {
    let joints = Array(rule.joints.dropFirst(rule.hasLeft ? 1 : 0))
    // Most programs align wide characters by the cells of a terminal.
    let byCell = PrintedCells(of: line)
    let known = Set(places + (rule.hasRight ? [end] : []))
    let found = [joints, joints.compactMap { byCell.index(atCell: $0) }].first {
      $0.count == joints.count && $0.allSatisfy(known.contains)
    }
    return found.map { $0.dropLast(rule.hasRight ? 1 : 0) }
  }

  private func cells(_ line: [Unicode.Scalar], _ ranges: [Range<Int>]) -> Outcome {
    var continued: Set<Int> = []
    let cells = ranges.enumerated().map { column, range in
      if isContinued(line, range, column) {
        continued.insert(column)
        return text(line[range.dropLast()])
      }
      return text(line[range])
    }
    return continued.isEmpty ? .cells(cells) : .continued(cells, continued)
  }

  /// Whether `+` stands in the place of the blank after a cell, as psql prints a line end.
  private func isContinued(
    _ line: [Unicode.Scalar], _ range: Range<Int>, _ column: Int
  ) -> Bool {
    guard rule.form == .joints, let last = line[range].last, last == "+" || last == "↵" else {
      return false
    }
    return column < count - 1 || rule.hasRight || line.count == rule.length
      || line.reduce(0) { $0 + $1.displayWidth } == rule.length
  }

  private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var scalars = scalars
    while scalars.first.map({ PrintedMark($0) == .blank }) == true { scalars.removeFirst() }
    while scalars.last.map({ PrintedMark($0) == .blank }) == true { scalars.removeLast() }
    var text = String.UnicodeScalarView()
    for (place, scalar) in zip(scalars.indices, scalars) {
      let isEscape =
        scalar == "\\" && place + 1 < scalars.endIndex && scalars[place + 1] == "|"
        && rule.form == .pipes
      if !isEscape { text.append(scalar) }
    }
    return String(text)
  }
}

// Blanks between columns.
extension PrintedColumns {
  private func divideAtGaps(_ line: [Unicode.Scalar]) -> Outcome {
    if line.isEmpty { return .outside }
    if count == 1 { return .cells([text(line[...])]) }
    let byCell = countsCells ? PrintedCells(of: line) : nil
    func place(_ character: Int) -> Int {
      byCell.map { $0.index(atCell: character) ?? line.count } ?? min(character, line.count)
    }
    let starts = [0] + rule.runs.dropFirst().map { place($0.lowerBound) }
    var ends = Array(starts.dropFirst()) + [line.count]
    var continued: Set<Int> = []
    for (column, run) in rule.runs.enumerated() {
      let end = place(run.upperBound)
      guard end < line.count, column == count - 1 ? end == line.count - 1 : true else { continue }
      if line[end] == "+" || line[end] == "↵" {
        // psql prints a line end so.
        continued.insert(column)
        ends[column] = end
      } else if column < count - 1,
        let other = line[end..<starts[column + 1]].firstIndex(where: {
          PrintedMark($0) != .blank
        })
      {
        return .crossed(at: other)
      }
    }
    let cells = zip(starts, ends).map { text(line[$0..<max($0, $1)]) }
    return continued.isEmpty ? .cells(cells) : .continued(cells, continued)
  }
}

/// The cells of a terminal that the characters of a line use.
private struct PrintedCells {
  private var indexes: [Int: Int] = [:]

  init(of line: [Unicode.Scalar]) {
    var cell = 0
    for (index, scalar) in line.enumerated() {
      // A mark belongs to the character before it.
      if indexes[cell] == nil || scalar.displayWidth > 0 { indexes[cell] = index }
      cell += scalar.displayWidth
    }
    indexes[cell] = indexes[cell] ?? line.count
  }

  /// The index of the character that begins at a cell.
  func index(atCell cell: Int) -> Int? { indexes[cell] }
}
