public import DataTables
import Synchronization

/// A snapshot that logs its statements.
public final class LoggedSnapshot: DatabaseSnapshot {
  /// The snapshot of the driver.
  public let base: any DatabaseSnapshot
  private let database: Database

  init(_ base: any DatabaseSnapshot, of database: Database) {
    self.base = base
    self.database = database
  }

  public var token: String? { base.token }
  public var identifiesStates: Bool { base.identifiesStates }

  public func contentToken(cancellation: Cancellation) async throws -> String? {
    try await base.contentToken(cancellation: cancellation)
  }

  /// The rows that a driver reads for it in its own way are not logged.
  public func digest(
    of table: TableSchema, key: DatabaseColumn, cancellation: Cancellation
  ) async throws -> TableDigest? {
    try await base.digest(of: table, key: key, cancellation: cancellation)
  }

  public func isCurrent(cancellation: Cancellation) async throws -> Bool {
    try await base.isCurrent(cancellation: cancellation)
  }

  public func goOn(with other: any DatabaseSnapshot) -> Bool {
    base.goOn(with: (other as? LoggedSnapshot)?.base ?? other)
  }

  public func rows(_ statement: SQL, cancellation: Cancellation) async throws -> RowSet {
    try await logging(statement, rows: \.rows.count) {
      try await base.rows(statement, cancellation: cancellation)
    }
  }

  public func forEachBatch(
    of size: Int, _ statement: SQL, cancellation: Cancellation,
    _ body: @Sendable (RowSet) async throws -> Bool
  ) async throws {
    let count = Mutex(0)
    try await logging(statement, rows: { _ in count.withLock { $0 } }) {
      try await base.forEachBatch(of: size, statement, cancellation: cancellation) { batch in
        count.withLock { $0 += batch.rows.count }
        return try await body(batch)
      }
    }
  }

  public func table(
    of statement: SQL, keys: [String], cancellation: Cancellation,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws -> any Table {
    try await logging(statement, rows: \.count) {
      try await base.table(
        of: statement, keys: keys, cancellation: cancellation, progress: progress)
    }
  }

  /// Logs a statement whose rows a driver reads in its own way.
  ///
  /// - Parameter rows: the number of rows that were read.
  public func logging<Result>(
    _ statement: SQL, rows: (Result) -> Int, _ body: () async throws -> Result
  ) async throws -> Result {
    try await database.log.logging(database.text(of: statement), rows: rows, body)
  }
}
