/// A port of 127.0.0.1 that neither accepts nor refuses connections: its queue is full, so clients
/// wait.
package final class UnansweredPort: Sendable {
  package let port: UInt16
  private let listener: LoopbackSocket
  private let waiting: [LoopbackSocket]

  package init() throws {
    (listener, port) = try LoopbackSocket.listening(backlog: 0)
    let port = port
    waiting = try (0..<4).map { _ in try LoopbackSocket.connecting(to: port) }
  }

  deinit {
    for socket in waiting { socket.end() }
    listener.end()
  }

  /// A port without a listener: connections are refused.
  package static func refusing() throws -> UInt16 {
    let (listener, port) = try LoopbackSocket.listening()
    listener.end()
    return port
  }
}
