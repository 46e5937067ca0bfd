import Glibc

/// The bytes of standard input, with signals between them.
final class TerminalInput {
  enum Event: Equatable {
    /// There are bytes to take.
    case bytes
    case end
    case signal(Int32)
  }

  /// What has come and was not taken.
  var bytes: ArraySlice<UInt8> = []
  private var signals: ArraySlice<Int32> = []
  /// Whether Ctrl-D was typed ahead, behind the bytes.
  private var endsBehindBytes = false

  /// Waits until something comes; signals go first.
  func wait() -> Event {
    if endsBehindBytes {
      endsBehindBytes = false
      return .end
    }
    while true {
      signals += Interrupts.drain()
      if let signal = signals.popFirst() { return .signal(signal) }
      var polled = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: Interrupts.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), -1)
      if count < 0 && errno != EINTR { return .end }
      if count < 0 || polled[1].revents != 0 { continue }
      if fill() { return .bytes }
      if errno != EINTR { return .end }
    }
  }

  /// Takes the lines that were typed while a command ran, as the terminal has them: once it is in
  /// libedit's mode, a Ctrl-D behind them would be no end of input any more.
  func takeTypedAhead() {
    var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&polled, 1, 0) > 0 {
      guard fill() else {
        endsBehindBytes = errno == 0
        return
      }
    }
  }

  /// - Returns: false at the end of input and on an error, which `errno` tells.
  private func fill() -> Bool {
    var piece: [UInt8] = Array(repeating: 0, count: 4096)
    errno = 0
    let count = read(STDIN_FILENO, &piece, piece.count)
    guard count > 0 else { return false }
    bytes += piece.prefix(count)
    return true
  }

  /// Forgets what was typed ahead and which signals came.
  func discard() {
    bytes = []
    signals = []
    endsBehindBytes = false
    _ = Interrupts.drain()
  }
}
