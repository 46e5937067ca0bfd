import DataSources
import DataTables
import Databases
import GRDBSQLite

extension SQLiteSnapshot {
  func table(
    of statement: SQL, keys: [String], cancellation: Cancellation,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws -> any Table {
    let table = try await explaining(cancellation) { connection in
      let prepared = try SQLiteStatement(statement, connection)
      let builders = prepared.columns.map { ColumnBuilder(ColumnBuilder.Meaning($0.kind)) }
      let batch = CellBatch(columns: builders.count)
      func flush() {
        for (column, builder) in builders.enumerated() { builder.append(batch, column: column) }
        progress(batch.count)
        batch.removeAll()
      }
      while try prepared.next() {
        for column in 0..<batch.columns { batch.set(column, of: prepared.statement) }
        batch.endRow()
        if batch.isFull { flush() }
      }
      flush()
      return ColumnTable(
        keys: keys, columns: try builders.map { try ColumnBuilder.column(joining: [$0]) },
        count: builders.first?.count ?? 0)
    }
    try await check(cancellation)
    return table
  }
}

extension CellBatch {
  /// The value of a column in the current row of a statement.
  @inline(__always)
  fileprivate func set(_ column: Int, of statement: OpaquePointer) {
    let index = Int32(truncatingIfNeeded: column)
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: set(column, integer: sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: set(column, real: sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, index)
      set(
        column,
        text: UnsafeRawBufferPointer(
          start: start, count: Int(sqlite3_column_bytes(statement, index))))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, index)
      set(
        column,
        data: UnsafeRawBufferPointer(
          start: start, count: Int(sqlite3_column_bytes(statement, index))))
    default: setNull(column)
    }
  }
}
