import DSRendering
import DisplayText

/// A line of a printed failure, next to the line number of the script.
struct PictureRow: Equatable {
  enum Role: Equatable {
    case expected, actual
    /// An actual line that matches its expectation.
    case context
    case note
  }
  let role: Role
  let text: String
  /// The line of the script; nil for actual output.
  var number: Int?
  /// The offset of the caret below it, in cells.
  var caret: Int?
  /// The word to the right of the text: `expected` or `actual`.
  var label = ""

  init(_ role: Role, _ text: String, number: Int? = nil, caret: Int? = nil) {
    self.role = role
    self.text = text.escapingControls()
    self.number = number
    self.caret = caret
  }

  /// A line number, or blanks of the same width.
  static func gutter(_ number: Int?, _ width: Int) -> String {
    let text = number.map(String.init) ?? ""
    return String(repeating: " ", count: max(0, width - text.count)) + text + " │"
  }

  private var sign: String {
    switch role {
    case .expected: "- "
    case .actual: "+ "
    case .context: "  "
    case .note: ""
    }
  }

  /// The rows as text. The first expected and the first actual row have labels.
  static func text(_ rows: [PictureRow], width: Int) -> [String] {
    var rows = rows
    let firstExpected = rows.firstIndex { $0.role == .expected }
    let firstActual = rows.firstIndex { $0.role == .actual }
    if let firstExpected { rows[firstExpected].label = "expected" }
    if let firstActual { rows[firstActual].label = "actual" }
    let labeled = rows.filter { !$0.label.isEmpty }
    let column = (labeled.map { $0.text.displayWidth }.max() ?? 0) + 6
    return rows.flatMap { row in
      var line = gutter(row.number, width)
      let content = row.sign + row.text
      if !content.isEmpty { line += " " + content }
      if !row.label.isEmpty {
        line += String(repeating: " ", count: column - row.text.displayWidth) + row.label
      }
      guard let caret = row.caret else { return [line] }
      return [line, gutter(nil, width) + String(repeating: " ", count: caret + 3) + "^"]
    }
  }

  private static let maximumContext = 3
  private static let maximumDifferences = 60

  /// The rows with at most a few lines of context around each difference, and a limited number of
  /// differences.
  static func shortened(_ rows: [PictureRow]) -> [PictureRow] {
    var short: [PictureRow] = []
    var differences = 0
    var index = 0
    while index < rows.count {
      guard rows[index].role == .context else {
        if rows[index].role != .note { differences += 1 }
        if differences > maximumDifferences {
          let rest = rows[index...].filter { $0.role == .expected || $0.role == .actual }.count
          short.append(PictureRow(.note, "… \(rest) more lines differ"))
          return short + rows[index...].filter { $0.role == .note }
        }
        short.append(rows[index])
        index += 1
        continue
      }
      let end = rows[index...].firstIndex { $0.role != .context } ?? rows.count
      short += context(rows[index..<end], isFirst: index == 0, isLast: end == rows.count)
      index = end
    }
    return short
  }

  private static func context(
    _ rows: ArraySlice<PictureRow>, isFirst: Bool, isLast: Bool
  ) -> [PictureRow] {
    let head = isFirst ? 0 : maximumContext
    let tail = isLast ? 0 : maximumContext
    let hidden = rows.count - head - tail
    if hidden <= 1 { return Array(rows) }
    return rows.prefix(head) + [PictureRow(.context, "… \(hidden) lines as expected")]
      + rows.suffix(tail)
  }
}

// Comparing.
extension PictureRow {
  /// Expected and actual lines. Each differing expected line is above the actual line in its place.
  /// - Parameters:
  ///   - captures: the captures that references match.
  ///   - cells: the same lines as they were compared; the differences of their cells are named.
  static func rows(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ captures: Captures,
    _ cells: ComparedLines?
  ) -> [PictureRow] {
    var rows: [PictureRow] = []
    for hunk in Alignment.hunks(steps) {
      switch hunk {
      case .same(.match(let index, let line)):
        rows.append(PictureRow(.context, actual[line], number: expected[index].line))
      case .same(.any(let index, let lines)):
        let text = lines.count == 1 ? "… 1 line" : "… \(lines.count) lines"
        rows.append(PictureRow(.context, text, number: expected[index].line))
      case .same: break
      case .different(let missing, let extra):
        for (index, line) in pairs(missing, extra, cells) {
          rows += pair(index.map { expected[$0] }, line.map { actual[$0] }, captures)
          guard let cells, let index, let line else { continue }
          rows += cells.cellDifferences(index, line).map { PictureRow(.note, "  " + $0) }
        }
      }
    }
    return rows
  }

  private static func pairs(
    _ missing: [Int], _ extra: [Int], _ cells: ComparedLines?
  ) -> [(missing: Int?, extra: Int?)] {
    if let cells { return cells.pairs(missing: missing, extra: extra) }
    return (0..<max(missing.count, extra.count)).map { place in
      (place < missing.count ? missing[place] : nil, place < extra.count ? extra[place] : nil)
    }
  }

  private static func pair(
    _ expected: ExpectedLine?, _ actual: String?, _ captures: Captures
  ) -> [PictureRow] {
    guard let expected else { return [PictureRow(.actual, LineEnding.written(actual ?? ""))] }
    var shown = expected.written
    guard let actual else { return [PictureRow(.expected, shown, number: expected.line)] }
    var actualText = LineEnding.written(actual)
    // Literal braces are not doubled.
    var expectedText = expected.text.map(LineEnding.written)
    // Lines that look the same are shown as code points.
    if actualText.escapingControls() == expectedText?.escapingControls() {
      actualText = actualText.namingCodePoints
      shown = shown.namingCodePoints
      expectedText = expectedText?.namingCodePoints
    }
    let caret =
      expectedText.map { commonCells($0, actualText) } ?? commonCells(expected, actual, captures)
    return [
      PictureRow(.expected, shown, number: expected.line),
      PictureRow(.actual, actualText, caret: caret),
    ]
  }

  /// The number of cells before the first difference of two texts.
  private static func commonCells(_ expectedText: String, _ actualText: String) -> Int {
    // Compares characters: a caret cannot point at a part of one.
    let common = zip(expectedText, actualText).prefix { $0.utf8.elementsEqual($1.utf8) }.map(\.1)
    return String(common).escapingControls().displayWidth
  }

  /// The number of cells before the first difference of a line and a pattern.
  private static func commonCells(
    _ expected: ExpectedLine, _ actual: String, _ captures: Captures
  ) -> Int {
    guard let pattern = expected.patternWithHoles else { return 0 }
    var matcher = LineMatcher(pattern, actual, captures: captures)
    _ = matcher.matches()
    let bytes = Array(actual.utf8)[..<min(matcher.commonBytes, actual.utf8.count)]
    return String(decoding: bytes, as: UTF8.self).escapingControls().displayWidth
  }
}

extension Character {
  fileprivate var utf8: String.UTF8View { String(self).utf8 }
}

extension String {
  /// `caf\u{e9}`
  fileprivate var namingCodePoints: String {
    unicodeScalars.map { scalar in
      (0x20..<0x7F).contains(scalar.value)
        ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }.joined()
  }
}
