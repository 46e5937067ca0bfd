import DSRendering

/// A line of a picture, beside the numbers of the script's lines.
struct PictureRow: Equatable {
  enum Role: Equatable {
    case expected, actual
    /// As expected, shown for its place.
    case context
    case note
  }
  let role: Role
  let text: String
  /// Of the line of the script; nil for what was told.
  var number: Int?
  /// How many cells after its start a caret stands under it.
  var caret: Int?
  /// Behind a gap: `expected`, `actual`.
  var label = ""

  init(_ role: Role, _ text: String, number: Int? = nil, caret: Int? = nil) {
    self.role = role
    self.text = text.escapingControls()
    self.number = number
    self.caret = caret
  }

  /// The number of a line, or the room for one.
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

  /// The rows as text; the first expected and the first actual one say what they are.
  static func text(_ rows: [PictureRow], width: Int) -> [String] {
    var rows = rows
    let firstExpected = rows.firstIndex { $0.role == .expected }
    let firstActual = rows.firstIndex { $0.role == .actual }
    if let firstExpected { rows[firstExpected].label = "expected" }
    if let firstActual { rows[firstActual].label = "actual" }
    let labelled = rows.filter { !$0.label.isEmpty }
    let column = (labelled.map { $0.text.displayWidth }.max() ?? 0) + 6
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

  private static let mostContext = 3
  private static let mostDifferences = 60

  /// Few lines of context around each difference, and an end to the differences.
  static func shortened(_ rows: [PictureRow]) -> [PictureRow] {
    var short: [PictureRow] = []
    var differences = 0
    var index = 0
    while index < rows.count {
      guard rows[index].role == .context else {
        if rows[index].role != .note { differences += 1 }
        if differences > mostDifferences {
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
    let head = isFirst ? 0 : mostContext
    let tail = isLast ? 0 : mostContext
    let hidden = rows.count - head - tail
    if hidden <= 1 { return Array(rows) }
    return rows.prefix(head) + [PictureRow(.context, "… \(hidden) lines as expected")]
      + rows.suffix(tail)
  }
}
