import Glibc

/// Shows text that does not fit on the terminal in pages, until the user quits.
///
/// The terminal is restored on every exit: after `q` and Ctrl-C, before the process is stopped, and
/// before a signal ends it.
struct Pager {
  private let terminal: Terminal
  private let screen: PagerTerminal

  /// The signals that stop or end the process, besides those that the prompt handles.
  static let signals = [SIGTSTP, SIGTERM, SIGHUP, SIGQUIT]

  init(_ terminal: Terminal) {
    self.terminal = terminal
    screen = PagerTerminal(terminal)
  }

  /// - Parameter pinned: the number of lines that stay at the top.
  func show(_ text: String, pinned: Int) {
    guard let size = terminal.size else { return }
    var view = PagerView(text, pinned: pinned, rows: size.rows, columns: size.columns)
    let signal = Interrupts.whileHandling(Self.signals) { run(&view) }
    if let signal {
      Interrupts.deliver(signal)
      return
    }
    // The terminal shows what it showed before; the last page stays below it.
    screen.write(view.visibleLines.map { $0 + "\n" }.joined())
  }

  /// - Returns: the signal that ended the display and must end the process.
  private func run(_ view: inout PagerView) -> Int32? {
    guard screen.enter() else { return nil }
    defer { screen.leave() }
    var input = PagerInput()
    var search: PagerSearch?
    while true {
      screen.draw(view.rows(prompt: search?.prompt))
      switch input.wait() {
      case .end: return nil
      case .signal(SIGWINCH):
        if let size = terminal.size { view.resize(rows: size.rows, columns: size.columns) }
      case .signal(SIGCONT): screen.enter()
      case .signal(SIGTSTP): suspend()
      case .signal(SIGINT): return nil
      case .signal(let number): return number
      case .key(let key):
        if var typed = search {
          switch typed.type(key) {
          case .typing: search = typed
          case .canceled: search = nil
          case .done(let text):
            search = nil
            view.search(text)
          }
          continue
        }
        switch PagerCommand(key) {
        case .quit: return nil
        case .search: search = PagerSearch()
        case .next: view.searchAgain(backward: false)
        case .previous: view.searchAgain(backward: true)
        case .suspend: suspend()
        case .move(let movement): view.move(movement)
        case nil: break
        }
      }
    }
  }

  /// Stops the process, as Ctrl-Z does, with the terminal as it was.
  private func suspend() {
    screen.leave()
    Interrupts.stop()
    screen.enter()
  }
}
