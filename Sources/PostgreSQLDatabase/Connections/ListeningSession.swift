import DataSources
import DataTables
import Databases
import Synchronization

/// A session that receives the notifications about all tables of a connection. It closes when it is
/// released; no other user of a session must receive its notifications.
final class ListeningSession: Sendable {
  let descriptor: Int32
  private let session: ServerSession

  private struct State {
    /// The number of notifications about each table that was asked for.
    var counts: [String: Int] = [:]
    var isBroken = false
  }
  private let state = Mutex(State())

  private init(_ session: ServerSession, descriptor: Int32) {
    self.session = session
    self.descriptor = descriptor
  }

  fileprivate static func open(
    in pool: SessionPool, _ cancellation: Cancellation
  ) async throws -> ListeningSession {
    let session = try await pool.openOther(cancellation)
    do {
      try await session.run(cancellation) { try $0.listen($1) }
    } catch {
      await session.complete { $0.close() }
      throw error
    }
    return ListeningSession(session, descriptor: await session.complete { $0.descriptor })
  }

  deinit { session.start { $0.close() } }

  fileprivate func close() async {
    state.withLock { $0.isBroken = true }
    await session.complete { $0.close() }
  }

  var isBroken: Bool { state.withLock { $0.isBroken } }

  /// The number of notifications about a table that were received since this was first asked.
  func count(of number: String) -> Int {
    state.withLock { state in
      state.counts[number, default: 0] += 0
      return state.counts[number] ?? 0
    }
  }

  /// Counts the notifications that have arrived; does not wait for others.
  /// - Throws: ``DatabaseError``, `connection`, as soon as the connection broke.
  func receive() async throws {
    let isOpen = await session.complete { wire in
      let payloads = wire.takeNotifications()
      return self.state.withLock { state in
        if payloads == nil { state.isBroken = true }
        // Any user of the database can notify about anything.
        for payload in payloads ?? [] where state.counts[payload] != nil {
          state.counts[payload, default: 0] &+= 1
        }
        return !state.isBroken
      }
    }
    guard isOpen else {
      throw DatabaseError(.connection, "the server closed the connection")
    }
  }
}

/// Opens the listening session of a connection with the first listener, and again after it broke. The
/// listeners keep the session.
final class ListeningSessions: Sendable {
  private struct Current {
    weak var session: ListeningSession?
  }
  private let current = Mutex(Current())
  private let turns = Turns()

  func session(
    in pool: SessionPool, _ cancellation: Cancellation
  ) async throws -> ListeningSession {
    try await turns.hold(cancellation) {
      if let session = current.withLock({ $0.session }), !session.isBroken { return session }
      let session = try await ListeningSession.open(in: pool, cancellation)
      current.withLock { $0.session = session }
      return session
    }
  }

  func close() async { await current.withLock({ $0.session })?.close() }
}
