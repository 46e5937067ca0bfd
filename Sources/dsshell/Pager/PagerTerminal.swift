import Glibc

/// The terminal of a pager: its own screen, without echo, and with keys as they are typed.
final class PagerTerminal {
  private let descriptor: Int32
  /// The modes before ``enter()``; nil while the terminal is as it was.
  private var saved: termios?

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Switches to the pager's screen; after the process was stopped, again.
  /// - Returns: false if the descriptor is not a terminal.
  @discardableResult
  func enter() -> Bool {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return false }
    if saved == nil { saved = modes }
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL)
    guard tcsetattr(descriptor, TCSADRAIN, &modes) == 0 else { return false }
    // The alternate screen, without a cursor.
    write("\u{1B}[?1049h\u{1B}[?25l")
    return true
  }

  /// Restores the screen and the modes.
  func leave() {
    guard var modes = saved.take() else { return }
    write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(descriptor, TCSADRAIN, &modes)
  }

  /// Draws all rows of the screen.
  func draw(_ rows: [String]) {
    write("\u{1B}[H" + rows.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n"))
  }

  /// Writes all of a text, also when a signal arrives; a failure cannot be reported anywhere.
  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno != EINTR { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }
}
