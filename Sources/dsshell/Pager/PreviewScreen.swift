import DSInterpreter
import DataTables
import Glibc
import Pictures

/// Scrolls a table view on the terminal until the user quits.
///
/// The terminal is restored on every exit, as ``Pager`` does it. Each picture reads the rows that it
/// shows.
struct PreviewScreen {
  private let terminal: Terminal
  private let screen: PagerTerminal
  private let preview: TablePreview

  init(_ terminal: Terminal, _ preview: TablePreview) {
    self.terminal = terminal
    self.preview = preview
    screen = PagerTerminal(terminal)
  }

  /// The visible part of the table view, and the size of the terminal.
  private struct Display {
    var size: (rows: Int, columns: Int)
    var top: TablePreview.Position?
    var message: String?
    /// The index titles for ``lines``.
    var index: [String] = []
    var lines: [Picture.TableLine] = []

    /// The last row shows the position.
    var height: Int { max(1, size.rows - 1) }
  }

  /// - Returns: false if the size of the terminal is unknown.
  /// - Throws: the errors of reading objects.
  func show() async throws -> Bool {
    guard let size = terminal.size else { return false }
    var display = Display(size: size)
    display.top = (preview.start ?? preview.first).map { clamped(above($0), display) }
    let signal = try await Interrupts.whileHandling(Pager.signals) { try await run(&display) }
    if let signal {
      Interrupts.deliver(signal)
      return true
    }
    // The terminal shows what it showed before; the last picture stays below it.
    let view = Picture.TableView(display.lines, index: display.index)
    screen.write(rows(of: view, display).map { $0 + "\n" }.joined())
    return true
  }

  /// The line above a row, where the header of its section is shown.
  private func above(_ position: TablePreview.Position) -> TablePreview.Position {
    preview.hasHeaders && position.line > 0 ? preview.position(-1, from: position) : position
  }

  /// A top line that leaves no room below the last line.
  private func clamped(
    _ top: TablePreview.Position, _ display: Display
  ) -> TablePreview.Position {
    guard let last = preview.last else { return top }
    return min(top, preview.position(1 - display.height, from: last))
  }

  /// - Returns: the signal that ended the display and must end the process.
  private func run(_ display: inout Display) async throws -> Int32? {
    guard screen.enter() else { return nil }
    defer { screen.leave() }
    try await readIndex(&display)
    var input = PagerInput()
    while true {
      try await draw(&display)
      switch input.wait() {
      case .end: return nil
      case .signal(SIGWINCH):
        if let size = terminal.size { display.size = size }
        display.top = display.top.map { clamped($0, display) }
        try await readIndex(&display)
      case .signal(SIGCONT): screen.enter()
      case .signal(SIGTSTP): suspend()
      case .signal(SIGINT): return nil
      case .signal(let number): return number
      case .key(let key):
        switch PreviewKey(key) {
        case .quit: return nil
        case .suspend: suspend()
        case let key?: try await move(key, &display)
        case nil: break
        }
      }
    }
  }

  private func readIndex(_ display: inout Display) async throws {
    display.index = try await preview.index(lines: display.height)
  }

  private func move(_ key: PreviewKey, _ display: inout Display) async throws {
    display.message = nil
    guard let top = display.top, let first = preview.first, let last = preview.last else { return }
    // The first line of a page is the header that stays.
    let page = max(1, display.height - (preview.hasHeaders ? 1 : 0))
    var next = top
    switch key {
    case .quit, .suspend: break
    case .lines(let count): next = preview.position(count, from: top)
    case .pages(let count): next = preview.position(count * page, from: top)
    case .start: next = first
    case .end: next = last
    case .section(let step):
      // Back from within a section leads to its own header.
      next = preview.section(step < 0 && top.line > 0 ? 0 : step, from: top)
    case .letter(let character):
      if let section = try await preview.section(beginningWith: character, after: top) {
        next = section
      } else {
        display.message = "no section begins with `\(character)`"
      }
    }
    display.top = clamped(next, display)
  }

  private func draw(_ display: inout Display) async throws {
    if let top = display.top {
      display.lines = try await preview.lines(from: top, count: display.height)
    }
    if let line = preview.emptyLine, display.lines.count < display.height {
      if display.top == nil { display.lines = [] }
      display.lines.append(line)
    }
    var view = Picture.TableView(display.lines, index: display.index)
    while view.lines.count < display.height { view.lines.append(.init(.gap, "")) }
    let status = String(status(of: display).prefix(display.size.columns))
    screen.draw(rows(of: view, display) + ["\u{1B}[7m\(status)\u{1B}[0m"])
  }

  private func rows(of view: Picture.TableView, _ display: Display) -> [String] {
    zip(TextDrawing(width: display.size.columns).screen(view), view.lines).map { text, line in
      let style =
        switch line.kind {
        case .header: "\u{1B}[1m"
        case .placeholder, .gap: "\u{1B}[2m"
        case .row: ""
        }
      return terminal.allowsColor && !style.isEmpty ? style + text + "\u{1B}[0m" : text
    }
  }

  /// `q quits; section 3 of 8, 12 objects; arrows, Tab and letters move`, with the first section as 1.
  private func status(of display: Display) -> String {
    if let message = display.message { return message }
    let place =
      display.top.map {
        "section \(($0.section + 1).grouped) of \(preview.numberOfSections.grouped), "
      } ?? ""
    let objects = preview.numberOfObjects.counted("object")
    return "q quits; \(place)\(objects); arrows, Tab and letters move"
  }

  /// Stops the process, as Ctrl-Z does, with the terminal as it was.
  private func suspend() {
    screen.leave()
    Interrupts.stop()
    screen.enter()
  }
}
