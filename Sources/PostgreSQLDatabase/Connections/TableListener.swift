import DataTables
import Databases
import Synchronization

/// Receives the notifications about one table from a session that all tables share.
final class TableListener: ChangeListener {
  let descriptor: Int32
  private let table: TableName
  /// The payload of the notifications about the table.
  private let number: String
  private let session: ListeningSession
  private let pool: SessionPool
  /// The number of notifications that have been reported.
  private let reported: Mutex<Int>

  private init(
    _ table: TableName, number: String, _ session: ListeningSession, in pool: SessionPool
  ) {
    self.table = table
    self.number = number
    self.session = session
    self.pool = pool
    descriptor = session.descriptor
    reported = Mutex(session.count(of: number))
  }

  /// Listens if a trigger notifies about each change of the table.
  static func begin(
    _ table: TableName, in pool: SessionPool, with sessions: ListeningSessions,
    _ cancellation: Cancellation
  ) async throws -> ChangeListening {
    switch try await trigger(of: table, in: pool, cancellation) {
    case .present(let number):
      let session = try await sessions.session(in: pool, cancellation)
      return .active(TableListener(table, number: number, session, in: pool))
    case .absent: return .available(Wire.statementsForTrigger(of: table))
    case .impossible: return .unavailable
    }
  }

  func takeChange() async throws -> Bool {
    try await session.receive()
    let count = session.count(of: number)
    return reported.withLock { reported in
      defer { reported = count }
      return reported != count
    }
  }

  func isReliable(cancellation: Cancellation) async throws -> Bool {
    if case .present(number) = try await Self.trigger(of: table, in: pool, cancellation) {
      return true
    }
    return false
  }

  private static func trigger(
    of table: TableName, in pool: SessionPool, _ cancellation: Cancellation
  ) async throws -> ChangeTrigger {
    try await pool.use(cancellation) { session in
      try await session.run(cancellation) { try $0.trigger(of: table, $1) }
    }
  }
}
