import DSRendering
import DisplayText

/// A line with the styles of its characters.
struct StyledLine {
  private struct Cell {
    let character: Character
    let width: Int
    /// The sequence that turns the style on; "" for plain text.
    let style: String
  }
  private let cells: [Cell]
  let width: Int

  /// - Parameter text: with sequences that set styles (`ESC [ … m`), and no other control characters.
  init(_ text: Substring) {
    var cells: [Cell] = []
    var style = ""
    var rest = text
    while let character = rest.first {
      if character == "\u{1B}", let end = rest.firstIndex(of: "m") {
        let sequence = rest[...end]
        style = sequence == "\u{1B}[0m" ? "" : String(sequence)
        rest = rest[rest.index(after: end)...]
        continue
      }
      cells.append(
        Cell(character: character, width: String(character).displayWidth, style: style))
      rest = rest.dropFirst()
    }
    self.cells = cells
    width = cells.reduce(0) { $0 + $1.width }
  }

  /// The width of a line, without its styles.
  static func width(of text: Substring) -> Int {
    text.utf8.contains(0x1B) ? StyledLine(text).width : String(text).displayWidth
  }

  /// The column of the first match; nil without one. A pattern in lower case matches any case.
  func column(of pattern: String) -> Int? {
    guard let start = matches(of: pattern).first?.lowerBound else { return nil }
    return cells[..<start].reduce(0) { $0 + $1.width }
  }

  /// The positions of the cells of all matches.
  private func matches(of pattern: String) -> [Range<Int>] {
    guard !pattern.isEmpty else { return [] }
    let ignoresCase = pattern == pattern.lowercased()
    let wanted = Array(pattern)
    var matches: [Range<Int>] = []
    var start = 0
    while start + wanted.count <= cells.count {
      let isMatch = wanted.indices.allSatisfy { offset in
        let character = cells[start + offset].character
        return character == wanted[offset]
          || ignoresCase && character.lowercased() == wanted[offset].lowercased()
      }
      if isMatch { matches.append(start..<start + wanted.count) }
      start += isMatch ? wanted.count : 1
    }
    return matches
  }

  /// The part of the line in some columns. A wide character at an edge becomes a blank.
  func text(
    from left: Int, columns: Int, highlighting pattern: String = "", _ hasColor: Bool = true
  ) -> String {
    let matches = matches(of: pattern)
    var text = ""
    var column = 0
    var style = ""
    var next = 0
    for (index, cell) in cells.enumerated() {
      while next < matches.count, matches[next].upperBound <= index { next += 1 }
      let isMatch = next < matches.count && matches[next].contains(index)
      let end = column + cell.width
      defer { column = end }
      guard end > left, column < left + columns else { continue }
      let wanted = isMatch ? "\u{1B}[7m" : hasColor ? cell.style : ""
      if wanted != style {
        if !style.isEmpty { text += "\u{1B}[0m" }
        text += wanted
        style = wanted
      }
      let isWhole = column >= left && end <= left + columns
      text += isWhole ? String(cell.character) : " "
    }
    return style.isEmpty ? text : text + "\u{1B}[0m"
  }
}
