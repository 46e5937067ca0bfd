import DisplayText

/// A terminal that interprets the sequences that dsshell writes, for tests.
///
/// It wraps lines as VT100 terminals do (a full row wraps with the next character), and joins and
/// splits wrapped rows when its width changes, as most terminals do now.
struct ScreenModel {
  private struct Row {
    /// A character in its first cell; "" in the second cell of a wide one.
    var cells: [String] = []
    var isWrapped = false
  }

  private(set) var width: Int
  let height: Int
  private var rows = [Row()]
  private var row = 0
  private var column = 0
  /// Whether the last cell of the row was written, and the next character wraps.
  private(set) var isPending = false

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// All rows, also those that have left the screen, without blanks at their ends and without empty
  /// rows at the end.
  var lines: [String] {
    var lines = rows.map { row in
      String(row.cells.joined().reversed().drop { $0 == " " }.reversed())
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The last line, over all of its rows.
  var lastLine: String {
    let last = lines.count - 1
    guard last >= 0 else { return "" }
    let start = rows[..<last].lastIndex { !$0.isWrapped }.map { $0 + 1 } ?? 0
    let text = rows[start...last].map { $0.cells.joined() }.joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  /// The cursor, counted from the first of ``lines``.
  var cursor: (row: Int, column: Int) { (row, column) }

  private var top: Int { max(0, rows.count - height) }

  mutating func write(_ text: String) {
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\r": (column, isPending) = (0, false)
      // The driver of the terminal adds a carriage return.
      case "\n", "\r\n":
        column = 0
        newLine()
      case "\u{07}": break
      case "\u{1B}": escape(&rest)
      default: put(character)
      }
    }
  }

  private mutating func escape(_ rest: inout Substring) {
    guard rest.first == "[" else { return }
    rest.removeFirst()
    let parameters = String(rest.prefix { !$0.isLetter })
    rest = rest.dropFirst(parameters.count)
    let count = Int(parameters) ?? 1
    switch rest.popFirst() {
    case "A": (row, isPending) = (max(top, row - count), false)
    case "B": (row, isPending) = (min(rows.count - 1, row + count), false)
    case "C": (column, isPending) = (min(width - 1, column + count), false)
    case "H": (row, column, isPending) = (top, 0, false)
    case "J" where parameters == "2":
      for index in top..<rows.count { rows[index] = Row() }
    case "J":
      eraseRow()
      for index in rows.indices where index > row { rows[index] = Row() }
    case "K": eraseRow()
    default: break
    }
  }

  private mutating func eraseRow() {
    rows[row].cells.removeSubrange(min(column, rows[row].cells.count)...)
    rows[row].isWrapped = false
    isPending = false
  }

  private mutating func newLine() {
    isPending = false
    row += 1
    if row == rows.count { rows.append(Row()) }
  }

  private mutating func put(_ character: Character) {
    let text = String(character)
    let size = text.displayWidth
    guard size > 0 else { return }
    if isPending || column + size > width {
      rows[row].isWrapped = true
      newLine()
      column = 0
    }
    while rows[row].cells.count < column + size { rows[row].cells.append(" ") }
    rows[row].cells[column] = text
    for second in 1..<max(1, size) { rows[row].cells[column + second] = "" }
    column += size
    if column >= width { (column, isPending) = (width - 1, true) }
  }

  mutating func resize(width newWidth: Int) {
    var lines: [[String]] = [[]]
    var place = (line: 0, column: 0)
    for (index, old) in rows.enumerated() {
      if index == row { place = (lines.count - 1, lines[lines.count - 1].count + column) }
      lines[lines.count - 1] += old.cells
      if !old.isWrapped { lines.append([]) }
    }
    if lines.count > 1, lines.last?.isEmpty ?? false { lines.removeLast() }
    width = newWidth
    rows = []
    for (index, line) in lines.enumerated() {
      var part = Row()
      for (offset, cell) in line.enumerated() {
        let isWide = offset + 1 < line.count && line[offset + 1].isEmpty
        if part.cells.count + (isWide ? 2 : 1) > width, !cell.isEmpty {
          part.isWrapped = true
          rows.append(part)
          part = Row()
        }
        if index == place.line, offset == place.column {
          (row, column) = (rows.count, part.cells.count)
        }
        part.cells.append(cell)
      }
      rows.append(part)
      if index == place.line, place.column >= line.count {
        (row, column) = (rows.count - 1, part.cells.count + place.column - line.count)
      }
    }
    isPending = false
  }
}
