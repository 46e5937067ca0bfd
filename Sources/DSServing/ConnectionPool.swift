import FlyingFox
import FlyingSocks
import Glibc
import Synchronization

/// The waits of the connections of a page: limits their number, and the time in which the head of a
/// request must arrive. Beyond the limits, the connections that wait longest are closed.
///
/// FlyingFox waits for its sockets only here, and has no such limits itself.
final class ConnectionPool: AsyncSocketPool {
  /// Connections that send a request, wait for the next one, or receive a response.
  static let mostConnections = 64

  fileprivate struct Connection: Hashable {
    let file: Socket.FileDescriptor
    /// The descriptor of a closed connection is used again, but hardly ever with the same port.
    let port: UInt16
  }

  fileprivate struct State {
    /// The end of the time for the head of a request.
    var deadlines: [Connection: ContinuousClock.Instant] = [:]
    /// The waits of connections, by ascending numbers.
    var waits: [Int: Task<Void, any Error>] = [:]
    var lastWait = 0
    var accepting: Task<Void, any Error>?
    var isClosed = false
  }

  private let base: any AsyncSocketPool = HTTPServer.defaultPool()
  private let state = Mutex(State())
  private let headTime: Duration
  /// The time that a browser may take to receive the next part of a response.
  private static let writeTime = Duration.seconds(60)

  /// - Parameter headTime: the time for the head of a request; a connection that is kept open for the
  ///   next request is closed after this time too, and browsers open another.
  init(headTime: Duration = .seconds(10)) { self.headTime = headTime }

  func prepare() async throws { try await base.prepare() }
  func run() async throws { try await base.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    if Self.isListening(socket) { return try await suspendListening(socket, events) }
    let wait = Task { [base] in try await base.suspendSocket(socket, untilReadyFor: events) }
    let (number, deadline) = state.withLock { state in
      (
        state.add(wait),
        events.contains(.write)
          ? .now + Self.writeTime
          : state.deadline(of: Connection(file: socket.file, port: socket.peerPort), headTime)
      )
    }
    defer { state.withLock { $0.waits[number] = nil } }
    let limit = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      wait.cancel()
    }
    defer { limit.cancel() }
    try await withTaskCancellationHandler {
      try await wait.value
    } onCancel: {
      wait.cancel()
    }
  }

  private func suspendListening(_ socket: Socket, _ events: Socket.Events) async throws {
    let wait = Task { [base] in try await base.suspendSocket(socket, untilReadyFor: events) }
    let isClosed = state.withLock { state in
      state.accepting = wait
      return state.isClosed
    }
    if isClosed { wait.cancel() }
    do {
      try await withTaskCancellationHandler {
        try await wait.value
      } onCancel: {
        wait.cancel()
      }
    } catch {
      // Ends the loop that accepts connections, but none of the connections.
      throw state.withLock { $0.isClosed } ? SocketError.disconnected : error
    }
  }

  /// Gives a connection the whole time again for its next request.
  func received(_ request: HTTPRequest) {
    guard case .ip4(_, let port)? = request.remoteAddress else { return }
    state.withLock { state in
      for connection in state.deadlines.keys where connection.port == port {
        state.deadlines[connection] = nil
      }
    }
  }

  /// Accepts no more connections.
  func close() {
    let accepting = state.withLock { state in
      state.isClosed = true
      return state.accepting
    }
    accepting?.cancel()
  }

  private static func isListening(_ socket: Socket) -> Bool {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket.file.rawValue, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0
      && value != 0
  }
}

extension ConnectionPool.State {
  /// Adds a wait. Ends the oldest one if there are too many.
  fileprivate mutating func add(_ wait: Task<Void, any Error>) -> Int {
    if waits.count >= ConnectionPool.mostConnections, let oldest = waits.keys.min() {
      waits.removeValue(forKey: oldest)?.cancel()
    }
    lastWait += 1
    waits[lastWait] = wait
    return lastWait
  }

  /// The end of the time for the head that a connection sends; begins with its first wait.
  fileprivate mutating func deadline(
    of connection: ConnectionPool.Connection, _ time: Duration
  ) -> ContinuousClock.Instant {
    let now = ContinuousClock.now
    // Connections that ended before their time have left theirs.
    if deadlines.count > 4 * ConnectionPool.mostConnections {
      deadlines = deadlines.filter { $0.value > now }
    }
    if let deadline = deadlines[connection], deadline > now { return deadline }
    deadlines[connection] = now + time
    return now + time
  }
}

extension Socket {
  /// 0 for a connection that has ended.
  fileprivate var peerPort: UInt16 {
    if case .ip4(_, let port)? = try? remotePeer() { port } else { 0 }
  }
}
