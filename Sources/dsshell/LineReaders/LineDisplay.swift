/// Draws what is typed on a terminal.
///
/// libedit's own drawing has no colors and no hints, garbles combining marks and wrapped lines after
/// a change of the width, and cannot indent the lines of an entry. It therefore draws into nothing,
/// and this display draws the line that libedit edits.
final class LineDisplay {
  private let terminal: Terminal
  private var content: LineContent?
  private var drawn: LineLayout?

  init(_ terminal: Terminal) { self.terminal = terminal }

  /// The size of the terminal in cells, or a usual one if it is unknown.
  private var size: (rows: Int, columns: Int) { terminal.size ?? (24, 80) }

  /// The width of the terminal, in cells.
  var width: Int { size.columns }

  /// Whether the terminal shows this text after this prompt.
  func shows(_ prompt: LinePrompt, text: String, cursor: Int) -> Bool {
    drawn != nil && content?.prompt == prompt.rawValue && content?.cursor == cursor
      && (content?.text.utf8.elementsEqual(text.utf8) ?? false)
  }

  /// Shows the content in place of the one before it. If it has more rows than the terminal, the rows
  /// around the cursor are shown.
  func draw(_ content: LineContent) {
    let size = size
    let layout = LineLayout(content.nearCursor, width: size.columns).window(height: size.rows)
    terminal.write(layout.drawing(over: drawn))
    (self.content, drawn) = (content, layout)
  }

  /// Erases what is shown.
  func erase() {
    guard let drawn else { return }
    terminal.write(drawn.erasure)
    self.drawn = nil
  }

  /// Shows all of a content for the last time, and continues below it.
  func finish(_ content: LineContent) {
    let layout = LineLayout(content, width: size.columns)
    terminal.write(layout.drawing(over: drawn) + layout.leaving)
    drawn = nil
  }

  /// Leaves what is shown as it is, and writes a text below it.
  func write(below text: String) {
    terminal.write((drawn?.leaving ?? "") + text)
    drawn = nil
  }

  /// Clears the terminal.
  func clear() {
    terminal.write("\u{1B}[H\u{1B}[2J")
    drawn = nil
  }

  func beep() { terminal.write("\u{07}") }

  /// Adapts to a new width. Most terminals have wrapped the rows anew by now.
  func resize() {
    guard let content, let old = drawn else { return }
    let size = size
    let layout = LineLayout(content.nearCursor, width: size.columns).window(height: size.rows)
    terminal.write(layout.erasure(wrappedFrom: old))
    drawn = nil
    draw(content)
  }

  /// Forgets what is shown: something else may be there.
  func forget() { drawn = nil }
}
