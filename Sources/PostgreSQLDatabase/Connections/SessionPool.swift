import DataSources
import DataTables
import Databases
import Synchronization

/// The sessions of a connection, which are opened when they are needed and used again.
///
/// There are at most ``limit`` sessions, unless more than that run statements: a snapshot that is
/// not reading loses its transaction to a new request, and then compares states as after an idle
/// time.
final class SessionPool: Sendable {
  private static let limit = 8

  /// A snapshot that keeps a session between its reads.
  struct Holder: Sendable {
    var lastUse: ContinuousClock.Instant
    /// Gives the session back unless it is in use.
    let release: @Sendable () async -> Void
  }

  private struct State {
    var free: [ServerSession] = []
    /// The sessions in use and the free ones.
    var count = 0
    var holders: [ObjectIdentifier: Holder] = [:]
    var isClosed = false
  }

  private let parameters: ConnectionParameters
  private let state = Mutex(State())

  init(_ parameters: ConnectionParameters) { self.parameters = parameters }

  deinit { parameters.ending.cancel() }

  /// A session for exclusive use; ``give(_:)`` must follow.
  func take(_ cancellation: Cancellation) async throws -> ServerSession {
    await makeRoom()
    while true {
      let free = try state.withLock { state throws(DatabaseError) in
        guard !state.isClosed else {
          throw DatabaseError(.connection, "the connection is closed")
        }
        let session = state.free.popLast()
        if session == nil { state.count += 1 }
        return session
      }
      guard let free else { break }
      // A server that was started again has closed all of them.
      if await free.complete({ $0.isOpen }) { return free }
      await free.complete { $0.close() }
      state.withLock { $0.count -= 1 }
    }
    do {
      return try await ServerSession.open(parameters, cancellation)
    } catch {
      state.withLock { $0.count -= 1 }
      throw error
    }
  }

  /// A session that its owner closes. It does not count toward the limit, as it cannot be released.
  func openOther(_ cancellation: Cancellation) async throws -> ServerSession {
    guard !state.withLock({ $0.isClosed }) else {
      throw DatabaseError(.connection, "the connection is closed")
    }
    return try await ServerSession.open(parameters, cancellation)
  }

  /// Takes a session, and gives it back after `body`.
  func use<Result>(
    _ cancellation: Cancellation, _ body: (ServerSession) async throws -> Result
  ) async throws -> Result {
    let session = try await take(cancellation)
    do {
      let result = try await body(session)
      await giveBack(session)
      return result
    } catch {
      await giveBack(session)
      throw error
    }
  }

  /// Ends the transaction of a session, and makes it available again.
  func giveBack(_ session: ServerSession) async {
    await session.complete { wire in self.receive(session, isUsable: wire.reset()) }
  }

  /// Does the same later.
  func give(_ session: ServerSession) {
    session.start { wire in self.receive(session, isUsable: wire.reset()) }
  }

  private func receive(_ session: ServerSession, isUsable: Bool) {
    state.withLock { state in
      if isUsable, !state.isClosed {
        state.free.append(session)
      } else {
        state.count -= 1
      }
    }
  }

  func enter(_ snapshot: AnyObject, _ holder: Holder) {
    state.withLock { $0.holders[ObjectIdentifier(snapshot)] = holder }
  }

  func leave(_ snapshot: AnyObject) {
    _ = state.withLock { $0.holders.removeValue(forKey: ObjectIdentifier(snapshot)) }
  }

  /// Asks the snapshot that has not read for the longest time for its session, if all are taken.
  private func makeRoom() async {
    let oldest = state.withLock { state in
      state.free.isEmpty && state.count >= Self.limit
        ? state.holders.values.min { $0.lastUse < $1.lastUse } : nil
    }
    await oldest?.release()
  }

  /// Ends the transactions of snapshots that are not reading. A statement that changes a table's
  /// definition would wait for their locks.
  func releaseHolders() async {
    for release in state.withLock({ $0.holders.values.map(\.release) }) { await release() }
  }

  /// Ends all statements and closes the sessions.
  func close() async {
    parameters.ending.cancel()
    let (free, holders) = state.withLock { state in
      state.isClosed = true
      state.count -= state.free.count
      defer { state.free = [] }
      return (state.free, state.holders.values.map(\.release))
    }
    for session in free { await session.complete { $0.close() } }
    for release in holders { await release() }
  }
}
