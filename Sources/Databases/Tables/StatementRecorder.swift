import DataSources
import DataTables
import Synchronization

/// A snapshot that runs nothing and keeps the first statement that it should run.
final class StatementRecorder: DatabaseSnapshot {
  private let first = Mutex<SQL?>(nil)

  var statement: SQL? { first.withLock { $0 } }

  func rows(_ statement: SQL, cancellation: Cancellation) throws -> RowSet {
    first.withLock { first in if first == nil { first = statement } }
    throw DatabaseError(.engine, "the statement was not run")
  }

  func forEachBatch(
    of size: Int, _ statement: SQL, cancellation: Cancellation,
    _ body: @Sendable (RowSet) async throws -> Bool
  ) throws { _ = try rows(statement, cancellation: cancellation) }

  func isCurrent(cancellation: Cancellation) -> Bool { true }

  var token: String? { nil }
}
