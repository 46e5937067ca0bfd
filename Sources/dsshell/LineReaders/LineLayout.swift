import DSRendering
import DisplayText

/// The rows that a content occupies on a terminal of a width, and the place of the cursor in them.
///
/// A row that is full continues in the next one without a line end, so that the terminal itself wraps
/// the line: it then keeps the line together when its width changes, and when text is copied from it.
struct LineLayout: Equatable {
  struct Row: Equatable {
    /// With sequences for styles, which end in the same row.
    fileprivate(set) var text = ""
    /// In cells.
    fileprivate(set) var width = 0
    /// Whether the terminal wraps the line after this row.
    fileprivate(set) var isWrapped = false
  }

  private(set) var rows = [Row()]
  private(set) var cursorRow = 0
  private(set) var cursorColumn = 0
  private let width: Int
  private var style = ""

  private static let reset = "\u{1B}[0m"
  private static let dim = "\u{1B}[2m"
  /// The columns between two tab stops.
  private static let tabStops = 8

  /// - Parameter width: of the terminal, in cells.
  /// - Complexity: O(text).
  init(_ content: LineContent, width: Int) {
    self.width = max(1, width)
    append(content.prompt)
    var offset = 0
    var parts = content.parts[...]
    for character in content.text {
      let end = offset + character.utf8.count
      while let part = parts.first, part.range.upperBound <= offset { parts = parts.dropFirst() }
      let isStyled = parts.first.map { $0.range.lowerBound <= offset } ?? false
      setStyle(isStyled ? parts.first?.style ?? "" : "")
      let start =
        character == "\n" || character == "\r\n"
        ? endLine(before: content.nextPrompt) : append(character)
      if offset <= content.cursor { (cursorRow, cursorColumn) = start }
      offset = end
    }
    setStyle("")
    // After a full row, the cursor would otherwise stay on its last character.
    if last.width >= self.width { wrap() }
    if content.cursor >= offset { (cursorRow, cursorColumn) = (rows.count - 1, last.width) }
    // The last cell stays free for the same reason.
    let room = self.width - last.width - 1
    let hint = String(content.hint.prefix(max(0, room) + 1)).escapingControls()
      .shortened(to: room)
    if !hint.isEmpty {
      setStyle(Self.dim)
      append(hint)
      setStyle("")
    }
  }

  private var last: Row { rows[rows.count - 1] }

  private mutating func append(_ text: String) { for character in text { append(character) } }

  /// - Returns: the row and the column where the character begins.
  @discardableResult
  private mutating func append(_ character: Character) -> (Int, Int) {
    let text = shown(character)
    let size = text.displayWidth
    if last.width + size > width, last.width > 0 { wrap() }
    let start = (rows.count - 1, last.width)
    rows[rows.count - 1].text += text
    rows[rows.count - 1].width += size
    return start
  }

  /// A control character in caret notation, as terminals echo it; a tab as spaces.
  private func shown(_ character: Character) -> String {
    guard let byte = character.asciiValue else { return String(character).escapingControls() }
    switch byte {
    case UInt8(ascii: "\t"):
      return String(repeating: " ", count: Self.tabStops - last.width % Self.tabStops)
    case 0..<0x20, 0x7F: return "^" + String(Unicode.Scalar(byte ^ 0x40))
    default: return String(character)
    }
  }

  /// - Returns: the row and the column of the line end.
  private mutating func endLine(before prompt: String) -> (Int, Int) {
    setStyle("")
    let end = (rows.count - 1, min(last.width, width - 1))
    rows.append(Row())
    append(prompt)
    return end
  }

  private mutating func wrap() {
    let style = style
    setStyle("")
    rows[rows.count - 1].isWrapped = true
    rows.append(Row())
    setStyle(style)
  }

  private mutating func setStyle(_ next: String) {
    guard next != style else { return }
    if !style.isEmpty { rows[rows.count - 1].text += Self.reset }
    rows[rows.count - 1].text += next
    style = next
  }

  /// The rows around the cursor that fit on a terminal of `height` rows.
  func window(height: Int) -> LineLayout {
    let height = max(1, height)
    guard rows.count > height else { return self }
    let first = min(max(0, cursorRow - height / 2), rows.count - height)
    var part = self
    part.rows = Array(rows[first..<first + height])
    part.cursorRow = cursorRow - first
    return part
  }
}

extension LineLayout {
  /// The text that draws the layout in place of another one, in which the cursor is. The terminal
  /// returns to the first column at a line feed, also in libedit's mode.
  /// - Parameter old: nil if the cursor is at the start of an empty row, with nothing below it.
  func drawing(over old: LineLayout?) -> String {
    var text = old.map { "\r" + Self.up($0.cursorRow) } ?? ""
    for (index, row) in rows.enumerated() {
      // The terminal wraps a full row only with the next character.
      if index > 0, rows[index - 1].isWrapped, row.width == 0 { text += " \r" }
      text += row.text
      // Erasing after a full row would erase its last cell.
      let oldWidth = old.map { index < $0.rows.count ? $0.rows[index].width : 0 } ?? 0
      if row.width < min(oldWidth, width) { text += Self.eraseRow }
      if index < rows.count - 1, !row.isWrapped { text += "\n" }
    }
    if let old, old.rows.count > rows.count { text += Self.eraseBelow }
    text += Self.up(rows.count - 1 - cursorRow)
    return (cursorRow, cursorColumn) == (rows.count - 1, last.width)
      ? text : text + "\r" + Self.right(cursorColumn)
  }

  /// The text that moves the cursor to the first column of the first row and erases the layout.
  var erasure: String { Self.erasure(cursorRow: cursorRow) }

  /// The text that erases the layout when the terminal has wrapped its rows anew, from those of
  /// another layout of the same content.
  func erasure(wrappedFrom old: LineLayout) -> String {
    // A terminal leaves the cursor at the end of a row that is full now.
    Self.erasure(cursorRow: cursorRow - (hasCursorRow && !old.hasCursorRow ? 1 : 0))
  }

  /// Whether the cursor is in a row that exists only for it.
  private var hasCursorRow: Bool {
    cursorRow > 0 && cursorRow == rows.count - 1 && last.width == 0 && rows[cursorRow - 1].isWrapped
  }

  private static func erasure(cursorRow: Int) -> String { "\r" + up(cursorRow) + eraseBelow }

  /// The text that moves the cursor to a new row below the layout.
  var leaving: String {
    let rowsBelow = rows.count - 1 - cursorRow
    return (rowsBelow > 0 ? "\u{1B}[\(rowsBelow)B" : "") + "\n"
  }

  private static let eraseRow = "\u{1B}[K"
  private static let eraseBelow = "\u{1B}[J"
  private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
  private static func right(_ columns: Int) -> String { columns > 0 ? "\u{1B}[\(columns)C" : "" }
}
