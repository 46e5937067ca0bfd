import DataSources
import DataTables
import Databases
import GRDBSQLite

/// Converts between the values of SQLite and those of the shell.
///
/// The storage class of a value decides, and the declared type of its column where SQLite has no
/// storage class of its own: truth values and dates.
enum SQLiteValue {
  /// The value of a column in the current row of a statement.
  static func read(
    _ statement: OpaquePointer, _ column: Int32, _ kind: DatabaseColumn.Kind
  ) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: integer(Int(sqlite3_column_int64(statement, column)), kind)
    case SQLITE_FLOAT: .real(Real(sqlite3_column_double(statement, column)))
    case SQLITE_TEXT:
      text(
        UnsafeRawBufferPointer(
          start: sqlite3_column_text(statement, column),
          count: Int(sqlite3_column_bytes(statement, column))), kind)
    case SQLITE_BLOB:
      .data(
        Array(
          UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column),
            count: Int(sqlite3_column_bytes(statement, column)))))
    default: .null
    }
  }

  /// An argument of a function.
  static func read(_ value: OpaquePointer, _ kind: DatabaseColumn.Kind) -> Value {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: integer(Int(sqlite3_value_int64(value)), kind)
    case SQLITE_FLOAT: .real(Real(sqlite3_value_double(value)))
    case SQLITE_TEXT:
      text(
        UnsafeRawBufferPointer(
          start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value))), kind)
    case SQLITE_BLOB:
      .data(
        Array(
          UnsafeRawBufferPointer(
            start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))))
    default: .null
    }
  }

  private static func integer(_ integer: Int, _ kind: DatabaseColumn.Kind) -> Value {
    kind == .bool && (integer == 0 || integer == 1) ? .bool(integer == 1) : .integer(integer)
  }

  /// Text that is not UTF-8 is data: no byte is lost.
  private static func text(_ bytes: UnsafeRawBufferPointer, _ kind: DatabaseColumn.Kind) -> Value {
    if kind.isDate, let date = Scalar.date(bytes) { return .date(date) }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .data(Array(bytes)) }
    return .string(text)
  }

  /// Binds a value to a placeholder, counted from 1.
  /// - Throws: ``DatabaseError`` for a value that SQLite cannot hold.
  static func bind(
    _ value: Value, to statement: OpaquePointer, at index: Int32
  ) throws(DataSources.DatabaseError) {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(statement, index)
    case .bool(let bool): code = sqlite3_bind_int64(statement, index, bool ? 1 : 0)
    case .integer(let integer): code = sqlite3_bind_int64(statement, index, Int64(integer))
    case .real(let real):
      guard real.isSQLiteNumber else {
        throw DatabaseError(
          .engine,
          "SQLite has no number with all digits of `\(value.json)`; a string keeps them")
      }
      code = sqlite3_bind_double(statement, index, real.value)
    case .string(let text): code = bind(text, statement, index)
    case .date(let date): code = bind(date.isoText, statement, index)
    case .data(let bytes):
      code = bytes.withUnsafeBytes { buffer in
        // A null pointer would bind null instead of empty data.
        buffer.isEmpty
          ? sqlite3_bind_zeroblob(statement, index, 0)
          : sqlite3_bind_blob64(
            statement, index, buffer.baseAddress, UInt64(buffer.count), transient)
      }
    case .array, .record: code = bind(value.json, statement, index)
    }
    guard code == SQLITE_OK else {
      throw DatabaseError(
        .engine, "\(value.excerpt) cannot be bound: \(String(cString: sqlite3_errstr(code)))")
    }
  }

  private static func bind(_ text: String, _ statement: OpaquePointer, _ index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { chars in
        guard let start = chars.baseAddress else {
          return sqlite3_bind_text(statement, index, "", 0, transient)
        }
        return sqlite3_bind_text64(
          statement, index, start, UInt64(chars.count), transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Returns a value from a function.
  static func send(_ value: Value, to context: OpaquePointer) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .bool(let bool): sqlite3_result_int(context, bool ? 1 : 0)
    case .integer(let integer): sqlite3_result_int64(context, Int64(integer))
    case .real(let real): sqlite3_result_double(context, real.value)
    case .string(let text): send(text, to: context)
    case .date(let date): send(date.isoText, to: context)
    case .data(let bytes):
      bytes.withUnsafeBytes { buffer in
        if buffer.isEmpty {
          sqlite3_result_zeroblob(context, 0)
        } else {
          sqlite3_result_blob64(context, buffer.baseAddress, UInt64(buffer.count), transient)
        }
      }
    case .array, .record: send(value.json, to: context)
    }
  }

  private static func send(_ text: String, to context: OpaquePointer) {
    var text = text
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { chars in
        if let start = chars.baseAddress {
          sqlite3_result_text64(
            context, start, UInt64(chars.count), transient, UInt8(SQLITE_UTF8))
        } else {
          sqlite3_result_text(context, "", 0, transient)
        }
      }
    }
  }

  /// Makes SQLite copy bytes that are valid only during a call.
  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

extension Real {
  /// Whether a value of SQLite is the same number: one of 64 bits. SQLite reads NaN as null.
  var isSQLiteNumber: Bool { isFinite ? Real(value) == self : !value.isNaN }
}

extension DatabaseColumn.Kind {
  var isDate: Bool { self == .date || self == .dateTime || self == .instant }

  /// The declared type for the kind; "" accepts any value as it is.
  var sqliteType: String {
    switch self {
    case .bool: "BOOLEAN"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .decimal: "NUMERIC"
    case .text: "TEXT"
    case .date: "DATE"
    case .dateTime, .instant: "DATETIME"
    case .data: "BLOB"
    case .json, .other, .any: ""
    }
  }

  /// The kind that a declared type means: SQLite's affinity, and names of truth values and dates.
  init(sqliteType declared: String) {
    let type = declared.uppercased()
    self =
      if type.isEmpty {
        .any
      } else if type.contains("BOOL") {
        .bool
      } else if type.contains("INT") {
        .integer
      } else if type.contains("DATETIME") || type.contains("TIMESTAMP") {
        .dateTime
      } else if type.contains("DATE") {
        .date
      } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
        .text
      } else if type.contains("BLOB") {
        .data
      } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
        .real
      } else {
        .decimal
      }
  }
}
