import DataSources
import DataTables
import Databases
import GRDBSQLite

/// A prepared statement of a connection; it must be used on the connection's queue.
final class SQLiteStatement {
  private let connection: OpaquePointer
  let statement: OpaquePointer
  private let text: String
  private(set) var columns: [DatabaseColumn] = []

  /// - Throws: ``DatabaseError``; also for a text with two statements, or with none.
  init(_ sql: SQL, _ connection: OpaquePointer) throws(DatabaseError) {
    let text = sql.text { _, _ in "?" }
    var prepared: OpaquePointer?
    var rest = 0
    let code = text.withCString { start in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(connection, start, -1, &prepared, &tail)
      rest = tail.map { start.distance(to: $0) } ?? 0
      return code
    }
    guard code == SQLITE_OK else {
      throw SQLiteFailure.error(of: connection, code, statement: text)
    }
    guard let prepared else {
      throw DatabaseError(.engine, "the statement is empty", statement: text, offset: 0)
    }
    self.connection = connection
    self.text = text
    statement = prepared
    guard !["attach", "detach"].contains(text.firstSQLWord) else {
      throw DatabaseError(
        .engine, "a file is attached by `open FILE attach: {NAME: FILE}`", statement: text,
        offset: 0)
    }
    let left = String(decoding: text.utf8.dropFirst(rest), as: UTF8.self)
    guard left.isBlankSQL else {
      throw DatabaseError(
        .engine, "only one statement can run at a time", statement: text,
        offset: text.unicodeScalars.count - left.unicodeScalars.count)
    }
    let wanted = Int(sqlite3_bind_parameter_count(prepared))
    guard wanted == sql.values.count else {
      throw DatabaseError(
        .engine,
        "the statement has \(wanted) placeholders, but \(sql.values.count) values are given",
        statement: text)
    }
    for (index, value) in sql.values.enumerated() {
      try SQLiteValue.bind(value, to: prepared, at: Int32(index + 1))
    }
    columns = (0..<sqlite3_column_count(prepared)).map { column in
      let declared = sqlite3_column_decltype(prepared, column).map { String(cString: $0) } ?? ""
      return DatabaseColumn(
        name: sqlite3_column_name(prepared, column).map { String(cString: $0) } ?? "",
        declaredType: declared, kind: DatabaseColumn.Kind(sqliteType: declared))
    }
  }

  deinit { sqlite3_finalize(statement) }

  var isReadOnly: Bool { sqlite3_stmt_readonly(statement) != 0 }

  /// Goes to the next row; false at the end.
  func next() throws(DatabaseError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteFailure.error(of: connection, code, statement: text)
    }
  }

  /// Runs the statement to its end with other values.
  func run(with values: [Value]) throws(DatabaseError) {
    sqlite3_reset(statement)
    for (index, value) in values.enumerated() {
      try SQLiteValue.bind(value, to: statement, at: Int32(index + 1))
    }
    while try next() {}
  }

  func row() -> [Value] {
    columns.indices.map { SQLiteValue.read(statement, Int32($0), columns[$0].kind) }
  }
}

extension String {
  /// Whether only blanks, comments and semicolons are left.
  fileprivate var isBlankSQL: Bool { sqlAfterBlanks.isEmpty }

  /// The first word in lowercase letters.
  fileprivate var firstSQLWord: String { sqlAfterBlanks.prefix(while: \.isLetter).lowercased() }

  /// The text without the blanks, comments and semicolons before the first word.
  private var sqlAfterBlanks: Substring {
    var rest = Substring(self)
    while let first = rest.first {
      if first.isWhitespace || first == ";" {
        rest = rest.dropFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.firstRange(of: "*/") else { return "" }
        rest = rest[end.upperBound...]
      } else {
        return rest
      }
    }
    return rest
  }
}
