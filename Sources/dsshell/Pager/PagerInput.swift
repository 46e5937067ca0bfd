import Glibc

/// The keys and signals of a pager.
struct PagerInput {
  private var bytes: ArraySlice<UInt8> = []
  private var signals: ArraySlice<Int32> = []
  /// The wait in milliseconds after which an escape is a key and not the start of a sequence.
  private static let pause: Int32 = 50

  enum Event {
    case key(PagerKey)
    case signal(Int32)
    case end
  }

  mutating func wait() -> Event {
    while true {
      signals += Interrupts.drain()
      if let signal = signals.popFirst() { return .signal(signal) }
      if let key = PagerKey.take(from: &bytes, isComplete: false) { return .key(key) }
      var polled = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: Interrupts.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), bytes.isEmpty ? -1 : Self.pause)
      if count < 0 && errno != EINTR { return .end }
      if count == 0, let key = PagerKey.take(from: &bytes, isComplete: true) { return .key(key) }
      if count <= 0 || polled[0].revents == 0 { continue }
      var chunk: [UInt8] = Array(repeating: 0, count: 256)
      let read = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if read == 0 || read < 0 && errno != EINTR { return .end }
      bytes += chunk.prefix(max(0, read))
    }
  }
}
