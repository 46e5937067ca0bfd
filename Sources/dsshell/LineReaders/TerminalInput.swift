import Glibc

/// The bytes of standard input and the signals that arrive between them.
final class TerminalInput {
  enum Event: Equatable {
    /// Bytes were added to ``TerminalInput/bytes``.
    case bytes
    case end
    case signal(Int32)
    /// A watched file may have changed.
    case change
  }

  /// The bytes read and not yet consumed.
  var bytes: ArraySlice<UInt8> = []
  private var signals: ArraySlice<Int32> = []
  /// Whether Ctrl-D was typed ahead, after ``bytes``.
  private var endsAfterBytes = false

  /// Waits for the next event; signals take precedence over bytes, and bytes over changes.
  func wait(observing observed: ObservedChanges = ObservedChanges()) -> Event {
    if endsAfterBytes {
      endsAfterBytes = false
      return .end
    }
    while true {
      signals += Interrupts.drain()
      if let signal = signals.popFirst() { return .signal(signal) }
      var polled = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: Interrupts.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      polled += observed.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let timeout = observed.interval.map { Int32(clamping: Int($0 / .milliseconds(1)) + 1) } ?? -1
      let count = poll(&polled, nfds_t(polled.count), timeout)
      if count < 0 && errno != EINTR { return .end }
      if count < 0 || polled[1].revents != 0 { continue }
      if polled[0].revents == 0 { return .change }
      if fill() { return .bytes }
      if errno != EINTR { return .end }
    }
  }

  /// Reads what was typed while a command ran, and calls `prepare`, which turns on libedit's mode of
  /// the terminal.
  ///
  /// In this mode, a Ctrl-D that was typed before it no longer ends the input: if it has not been
  /// read by then, it is read as NUL.
  func takeTypedAhead(before prepare: () -> Void) {
    takeAvailable()
    let count = bytes.count
    prepare()
    guard !endsAfterBytes else { return }
    takeAvailable()
    if let end = bytes.dropFirst(count).firstIndex(of: 0) {
      bytes = bytes[..<end]
      endsAfterBytes = true
    }
  }

  private func takeAvailable() {
    var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&polled, 1, 0) > 0 {
      guard fill() else {
        endsAfterBytes = errno == 0
        return
      }
    }
  }

  /// - Returns: false at the end of input, with `errno` 0, and on an error, with its `errno`.
  private func fill() -> Bool {
    var chunk: [UInt8] = Array(repeating: 0, count: 4096)
    errno = 0
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    guard count > 0 else { return false }
    bytes += chunk.prefix(count)
    return true
  }

  /// Discards the bytes typed ahead and the pending signals.
  func discard() {
    bytes = []
    signals = []
    endsAfterBytes = false
    _ = Interrupts.drain()
  }

  /// Discards one kind of signal that has arrived.
  func discard(_ signal: Int32) {
    signals += Interrupts.drain()
    signals.removeAll { $0 == signal }
  }

  /// Removes and returns the first bytes.
  func take(_ count: Int) -> ArraySlice<UInt8> {
    let taken = bytes.prefix(count)
    bytes = bytes.dropFirst(count)
    return taken
  }

  /// The position of some bytes, counted from the first byte of ``bytes``; nil without them.
  func position(of wanted: [UInt8], from start: Int) -> Int? {
    let first = bytes.startIndex
    return bytes[min(first + start, bytes.endIndex)...].firstRange(of: wanted).map {
      $0.lowerBound - first
    }
  }

  /// Makes a scalar the next one.
  func putBack(_ scalar: Unicode.Scalar) { bytes = Array(String(scalar).utf8) + bytes }

  /// Removes and returns the next scalar; a byte that is not UTF-8 becomes U+FFFD.
  /// - Returns: nil until all bytes of the scalar have been read.
  func takeScalar() -> Unicode.Scalar? {
    guard let lead = bytes.first else { return nil }
    let length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    var decoder = UTF8()
    var sequence = bytes.prefix(length).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&sequence) else {
      bytes.removeFirst()
      return "\u{FFFD}"
    }
    bytes = bytes.dropFirst(UTF8.width(scalar))
    return scalar
  }
}
