import DataSources
import Databases
import GRDBSQLite

/// An aggregate function that receives the values of some columns of each row. SQLite calls it in
/// half of the time that reading the columns of a statement's rows takes.
///
/// Used by one thread at a time, while the connection is open.
final class RowFunction {
  /// - Parameters:
  ///   - first: the number of the first column among those of ``calls(_:)``.
  ///   - values: the values of this column and of those after it.
  typealias Body = (_ first: Int, _ values: UnsafeMutableBufferPointer<OpaquePointer?>) -> Void

  private let connection: OpaquePointer
  private let body: Body

  private static let name = "dsshell_rows"
  /// Functions have at most 127 arguments. The first one is the number of the first column.
  private static let maxColumns = 100

  /// - Throws: ``DatabaseError``.
  init(_ connection: OpaquePointer, _ body: @escaping Body) throws(DatabaseError) {
    self.connection = connection
    self.body = body
    let code = sqlite3_create_function_v2(
      connection, Self.name, -1, SQLITE_UTF8, Unmanaged.passUnretained(self).toOpaque(), nil,
      { context, count, arguments in
        guard let context, let arguments, count > 1, let first = arguments[0],
          let data = sqlite3_user_data(context)
        else { return }
        Unmanaged<RowFunction>.fromOpaque(data)._withUnsafeGuaranteedRef {
          $0.body(
            Int(sqlite3_value_int64(first)),
            UnsafeMutableBufferPointer(start: arguments + 1, count: Int(count) - 1))
        }
      },
      { context in if let context { sqlite3_result_null(context) } }, nil)
    guard code == SQLITE_OK else {
      throw SQLiteFailure.error(of: connection, code, statement: nil)
    }
  }

  deinit {
    sqlite3_create_function_v2(
      connection, Self.name, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  /// Passes the values of columns in all rows of a query, which are those after FROM.
  /// - Throws: ``DatabaseError``.
  func run(_ columns: [SQL], from rows: SQL) throws {
    let calls = stride(from: 0, to: columns.count, by: Self.maxColumns).map { start -> SQL in
      let names = columns[start..<min(columns.count, start + Self.maxColumns)]
      return "\(SQL(Self.name))(\(SQL(String(start))), \(names.joined(separator: ", ")))"
    }
    let statement = try SQLiteStatement(
      "SELECT \(calls.joined(separator: ", ")) FROM \(rows)", connection)
    while try statement.next() {}
  }
}
