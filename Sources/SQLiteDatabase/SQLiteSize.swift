import DataSources
import DataTables
import Databases
import GRDBSQLite
import Glibc

/// Detects files that were cut off: SQLite reads the missing end of a last page as zeros, without an
/// error, so that rows would be lost.
enum SQLiteSize {
  /// Compares the size of a file with its number of pages. A file with a write-ahead log may be
  /// shorter.
  ///
  /// The connection must be in a transaction, so that no other program writes pages.
  /// - Throws: ``DatabaseError``.
  static func check(fileAt path: String, of connection: OpaquePointer) throws {
    var status = stat()
    if stat(path + "-wal", &status) == 0, status.st_size > 0 { return }
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    try check(Int(status.st_size), of: connection)
  }

  /// - Throws: ``DatabaseError`` for a size that is smaller than that of all pages.
  static func check(_ size: Int, of connection: OpaquePointer) throws {
    let statement = try SQLiteStatement(
      "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()", connection)
    guard try statement.next(), case .integer(let expected)? = statement.row().first,
      size < expected
    else { return }
    throw DatabaseError(
      .engine,
      "the database is damaged: it has \(size.grouped) of \(expected.grouped) bytes, so the file was "
        + "cut off", code: "SQLITE_CORRUPT")
  }
}
