import DataSources
import DataTables
import Databases
import Synchronization

/// The rows of a statement that reads, some at a time.
// Unchecked: the statement is used on the queue of its connection only.
final class SQLiteRows: @unchecked Sendable {
  private var statement: SQLiteStatement?
  private let ended = Mutex(false)

  /// - Throws: ``DatabaseError``, `denied` for a statement that writes.
  init(_ sql: SQL, _ connection: OpaquePointer) throws(DatabaseError) {
    let prepared = try SQLiteStatement(sql, connection)
    guard prepared.isReadOnly else {
      throw DatabaseError(.denied, "the statement writes; `exec` runs statements that write")
    }
    // BEGIN would have an effect on this snapshot only.
    guard !prepared.columns.isEmpty else {
      throw DatabaseError(.engine, "the statement returns no rows; `exec` runs it")
    }
    statement = prepared
  }

  var isAtEnd: Bool { ended.withLock { $0 } }

  /// The next rows, at most `count`.
  func next(_ count: Int) throws(DatabaseError) -> RowSet {
    guard let statement else { return RowSet(columns: [], rows: []) }
    var rows: [[Value]] = []
    while rows.count < count {
      guard try statement.next() else {
        ended.withLock { $0 = true }
        break
      }
      rows.append(statement.row())
    }
    return RowSet(columns: statement.columns, rows: rows)
  }

  /// Ends the statement, which would keep the file locked.
  func close() { statement = nil }
}
