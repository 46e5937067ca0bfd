import Glibc

/// The terminal of a pager: its own screen, without echo, and with keys as they are typed.
final class PagerTerminal {
  private let terminal: Terminal
  /// The modes before ``enter()``; nil while the terminal is as it was.
  private var saved: termios?

  init(_ terminal: Terminal) { self.terminal = terminal }

  /// Switches to the pager's screen; after the process was stopped, again.
  /// - Returns: false if the descriptor is not a terminal.
  @discardableResult
  func enter() -> Bool {
    var modes = termios()
    guard tcgetattr(terminal.descriptor, &modes) == 0 else { return false }
    if saved == nil { saved = modes }
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL)
    guard tcsetattr(terminal.descriptor, TCSADRAIN, &modes) == 0 else { return false }
    // The alternate screen, without a cursor.
    write("\u{1B}[?1049h\u{1B}[?25l")
    return true
  }

  /// Restores the screen and the modes.
  func leave() {
    guard var modes = saved.take() else { return }
    write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(terminal.descriptor, TCSADRAIN, &modes)
  }

  /// Draws all rows of the screen.
  func draw(_ rows: [String]) {
    write("\u{1B}[H" + rows.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n"))
  }

  func write(_ text: String) { terminal.write(text) }
}
