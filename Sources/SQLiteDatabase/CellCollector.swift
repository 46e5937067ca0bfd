import DataSources
import DataTables
import Databases
import GRDBSQLite

/// Builds the columns of the rows that a connection reads.
///
/// Unchecked `Sendable` is safe: one worker uses it at a time.
final class CellCollector: @unchecked Sendable {
  private let file: SQLiteFile

  init(_ file: SQLiteFile) { self.file = file }

  /// The columns of all rows of a query.
  /// - Parameter rows: the text after FROM.
  /// - Throws: ``DatabaseError``.
  func collect(
    _ columns: [SQL], from rows: SQL, _ meanings: [ColumnBuilder.Meaning]
  ) throws -> [ColumnBuilder] {
    let builders = meanings.map { ColumnBuilder($0) }
    let batch = CellBatch(columns: columns.count)
    func flush() {
      for (column, builder) in builders.enumerated() { builder.append(batch, column: column) }
      batch.removeAll()
    }
    let function = try RowFunction(file.connection) { first, values in
      var column = first
      for value in values {
        if let value { batch.set(column, value) }
        column &+= 1
      }
      guard column == batch.columns else { return }
      batch.endRow()
      if batch.isFull { flush() }
    }
    try function.run(columns, from: rows)
    flush()
    return builders
  }
}

extension CellBatch {
  @inline(__always)
  fileprivate func set(_ column: Int, _ value: OpaquePointer) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: set(column, integer: sqlite3_value_int64(value))
    case SQLITE_FLOAT: set(column, real: sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      set(
        column,
        text: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      set(
        column,
        data: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: setNull(column)
    }
  }
}
