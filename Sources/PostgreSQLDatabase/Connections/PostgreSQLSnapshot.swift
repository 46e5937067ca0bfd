import DataSources
import DataTables
import Databases
import Synchronization

/// Reads one state of the database in a transaction of its own. The transaction ends after an idle
/// time, and soon after another session begins to wait for one of its locks; the next read begins
/// another one, and fails unless its state is the same.
///
/// States are compared exactly, and sometimes too strictly: they are the same if no transaction of
/// the server has committed in between, or if the tables have the same rows
/// (``Wire/contents(of:_:)``). A change of another table is therefore ignored except for views,
/// foreign tables, large tables, and if the server ended the connection.
final class PostgreSQLSnapshot: DatabaseSnapshot {
  struct State {
    /// nil between two transactions.
    var session: ServerSession?
    /// The version of the server's state when it was last known to be the same.
    var version: String
    /// The contents of the tables; nil if they have not been read, or cannot be.
    var contents: String?
    /// Whether the database has another state now.
    var isGone = false
    var lastUse = ContinuousClock.now
    var ending: Task<Void, Never>?
    /// Whether the present turn only looks for waiting sessions.
    var isLooking = false
    /// Those that wait for the end of the look.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The snapshot whose rows the current task streams: it would wait for itself.
  @TaskLocal private static var streaming: ObjectIdentifier?

  let token: String?
  /// Identifies the server.
  private let server: String
  let pool: SessionPool
  private let tables: [TableName]
  let idle: Duration
  let turns = Turns()
  let state: Mutex<State>

  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  static func begin(
    in pool: SessionPool, tables: [TableName], idle: Duration, _ cancellation: Cancellation
  ) async throws -> PostgreSQLSnapshot {
    let session = try await pool.take(cancellation)
    do {
      let version = try await session.run(cancellation) { try $0.beginReading($1) }
      let snapshot = PostgreSQLSnapshot(
        pool: pool, tables: tables, idle: idle, session: session, version: version)
      snapshot.keep()
      return snapshot
    } catch {
      pool.give(session)
      throw error
    }
  }

  private init(
    pool: SessionPool, tables: [TableName], idle: Duration, session: ServerSession,
    version: String
  ) {
    self.pool = pool
    self.tables = tables
    self.idle = idle
    token = version
    server = version.split(separator: "/").first.map(String.init) ?? ""
    state = Mutex(State(session: session, version: version))
  }

  deinit {
    pool.leave(self)
    let (session, ending) = state.withLock { ($0.session, $0.ending) }
    ending?.cancel()
    if let session { pool.give(session) }
  }

  func rows(_ statement: SQL, cancellation: Cancellation) async throws -> RowSet {
    let statement = try Statement(statement)
    return try await reading(cancellation) { session in
      try await session.run(cancellation) { wire, cancellation in
        try wire.inTransaction { try wire.rows(statement, cancellation) }
      }
    }
  }

  /// `body` is called at least once, with the columns.
  /// - Throws: ``DatabaseError``, `engine`, for a statement that `body` runs over this snapshot.
  func forEachBatch(
    of size: Int, _ statement: SQL, cancellation: Cancellation,
    _ body: @Sendable (RowSet) async throws -> Bool
  ) async throws {
    let statement = try Statement(statement)
    try await reading(cancellation) { session in
      let stream = try await session.run(cancellation) { wire, _ in
        try RowStream(statement, on: wire)
      }
      do {
        var isFirst = true
        while !stream.isAtEnd {
          let batch = try await session.run(cancellation) { _, cancellation in
            try stream.next(max(1, size), cancellation)
          }
          if batch.rows.isEmpty, !isFirst { break }
          isFirst = false
          let goesOn = try await Self.$streaming.withValue(ObjectIdentifier(self)) {
            try await body(batch)
          }
          if !goesOn { break }
        }
        await session.complete { stream.stop(on: $0) }
      } catch {
        await session.complete { stream.stop(on: $0) }
        throw error
      }
    }
  }

  func isCurrent(cancellation: Cancellation) async throws -> Bool {
    let (isGone, version) = state.withLock { ($0.isGone, $0.version) }
    if isGone { return false }
    do {
      return try await pool.use(cancellation) { session in
        let current = try await session.run(cancellation) { try $0.beginReading($1) }
        if current == version { return true }
        guard let known = try await knownContents(cancellation) else { return false }
        return known == (try await contents(in: session, cancellation))
      }
    } catch let error as DatabaseError where error.kind == .changed || error.kind == .connection {
      // A state whose session is gone cannot be compared any more.
      return false
    }
  }
}

extension PostgreSQLSnapshot {
  func contentToken(cancellation: Cancellation) async throws -> String? {
    guard let contents = try await knownContents(cancellation) else { return token }
    return server + "/" + contents
  }

  /// Runs `body` in a transaction that has the state of this snapshot.
  private func reading<Result>(
    _ cancellation: Cancellation, _ body: (ServerSession) async throws -> Result
  ) async throws -> Result {
    guard Self.streaming != ObjectIdentifier(self) else {
      throw DatabaseError(
        .engine, "another statement cannot run before all rows of the first one are read")
    }
    return try await turns.hold(cancellation) {
      let session = try await session(cancellation)
      do {
        let result = try await body(session)
        await keep(session)
        return result
      } catch {
        await keep(session)
        throw error
      }
    }
  }

  /// The session of the transaction; begins one if there is none.
  private func session(_ cancellation: Cancellation) async throws -> ServerSession {
    let (session, isGone) = state.withLock { ($0.session, $0.isGone) }
    if let session { return session }
    if isGone { throw Self.changed }
    let new = try await pool.take(cancellation)
    do {
      let version = try await new.run(cancellation) { try $0.beginReading($1) }
      let (known, contents) = state.withLock { ($0.version, $0.contents) }
      if version != known {
        guard let contents, contents == (try await self.contents(in: new, cancellation)) else {
          state.withLock { $0.isGone = true }
          throw Self.changed
        }
      }
      state.withLock { state in
        state.session = new
        state.version = version
      }
      return new
    } catch {
      pool.give(new)
      throw error
    }
  }

  private static let changed = DatabaseError(
    .changed, "the database changed after the snapshot was taken")

  /// The contents of the tables in the state of this snapshot; nil if they cannot be determined.
  private func knownContents(_ cancellation: Cancellation) async throws -> String? {
    if let contents = state.withLock({ $0.contents }) { return contents }
    return try await reading(cancellation) { session in
      let contents = try await contents(in: session, cancellation)
      state.withLock { $0.contents = contents }
      return contents
    }
  }

  /// nil if the tables cannot be compared, for example without permission for system columns.
  func contents(
    in session: ServerSession, _ cancellation: Cancellation
  ) async throws -> String? {
    try await session.run(cancellation) { [tables] wire, cancellation in
      do {
        return try wire.inTransaction { try wire.contents(of: tables, cancellation) }
      } catch TableError.cancelled {
        throw TableError.cancelled
      } catch {
        return nil
      }
    }
  }
}
