import DataSources
import Databases
import GRDB
import GRDBSQLite
import Glibc

/// Turns errors of SQLite into errors that say what to do.
enum SQLiteFailure {
  /// The last error of a connection.
  static func error(
    of connection: OpaquePointer, _ code: Int32, statement: String?
  ) -> DataSources.DatabaseError {
    let number = code & 0xFF == SQLITE_IOERR ? sqlite3_system_errno(connection) : 0
    let message =
      number != 0
      ? String(cString: strerror(number))
      : String(cString: sqlite3_errmsg(connection))
    let byte = Int(sqlite3_error_offset(connection))
    let offset = statement.flatMap { text in
      byte >= 0 ? String(decoding: text.utf8.prefix(byte), as: UTF8.self).unicodeScalars.count : nil
    }
    return error(
      code, sqlite3_extended_errcode(connection), message, statement: statement, offset: offset)
  }

  /// An error of GRDB.
  static func error(_ error: any Error, statement: String?) -> DataSources.DatabaseError {
    if let error = error as? DataSources.DatabaseError { return error }
    guard let error = error as? GRDB.DatabaseError else {
      return DatabaseError(.engine, "\(error)", statement: statement)
    }
    return self.error(
      error.resultCode.rawValue, error.extendedResultCode.rawValue, error.message ?? "",
      statement: statement ?? error.sql, offset: nil)
  }

  private static func error(
    _ code: Int32, _ extended: Int32, _ message: String, statement: String?, offset: Int?
  ) -> DataSources.DatabaseError {
    let (kind, text) =
      isUnfinished(extended)
      ? (.engine, "a write to the file was interrupted; `open FILE write: true` undoes it")
      : meaning(code & 0xFF, message)
    return DatabaseError(
      kind, text, code: name(code & 0xFF), statement: statement, offset: offset)
  }

  /// Whether a file has a journal of a write that was interrupted, which only a connection that may
  /// write can undo: SQLITE_READONLY_ROLLBACK or SQLITE_READONLY_RECOVERY.
  private static func isUnfinished(_ extended: Int32) -> Bool {
    extended == SQLITE_READONLY | 3 << 8 || extended == SQLITE_READONLY | 1 << 8
  }

  private static func meaning(
    _ code: Int32, _ message: String
  ) -> (DataSources.DatabaseError.Kind, String) {
    switch code {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return (
        .timeout,
        "another program has locked the database; try again, or raise `timeout:`"
      )
    case SQLITE_AUTH: return (.refused, SQLiteAuthorizer.message)
    case SQLITE_READONLY: return (.denied, "the database is open for reading only")
    case SQLITE_NOTADB: return (.engine, "the file is not a database of SQLite, or is encrypted")
    case SQLITE_CORRUPT: return (.engine, "the database is damaged: \(message)")
    case SQLITE_CANTOPEN: return (.connection, "the file cannot be opened")
    case SQLITE_FULL: return (.engine, "the disk is full")
    default: break
    }
    // Functions that are refused have a general code.
    if message.hasPrefix("not authorized") { return (.refused, SQLiteAuthorizer.message) }
    if let name = message.suffix(after: "no such table: ") { return (.unknownTable(name), message) }
    if let name = message.suffix(after: "unknown database ") {
      return (.unknownDatabase(name.filter { $0 != "'" && $0 != "\"" }), message)
    }
    if let name = message.suffix(after: "no such column: ") {
      return (.unknownColumn(name), message)
    }
    if message.hasPrefix("table "), message.hasSuffix(" already exists") {
      return (.exists(String(message.dropFirst(6).dropLast(15))), message)
    }
    return (.engine, message)
  }

  private static func name(_ code: Int32) -> String {
    let names: [Int32: String] = [
      SQLITE_ERROR: "SQLITE_ERROR", SQLITE_PERM: "SQLITE_PERM", SQLITE_BUSY: "SQLITE_BUSY",
      SQLITE_LOCKED: "SQLITE_LOCKED", SQLITE_NOMEM: "SQLITE_NOMEM",
      SQLITE_READONLY: "SQLITE_READONLY", SQLITE_INTERRUPT: "SQLITE_INTERRUPT",
      SQLITE_IOERR: "SQLITE_IOERR", SQLITE_CORRUPT: "SQLITE_CORRUPT", SQLITE_FULL: "SQLITE_FULL",
      SQLITE_CANTOPEN: "SQLITE_CANTOPEN", SQLITE_SCHEMA: "SQLITE_SCHEMA",
      SQLITE_TOOBIG: "SQLITE_TOOBIG", SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT",
      SQLITE_MISMATCH: "SQLITE_MISMATCH", SQLITE_MISUSE: "SQLITE_MISUSE",
      SQLITE_AUTH: "SQLITE_AUTH", SQLITE_RANGE: "SQLITE_RANGE", SQLITE_NOTADB: "SQLITE_NOTADB",
    ]
    return names[code] ?? "SQLite \(code)"
  }
}

extension String {
  fileprivate func suffix(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
