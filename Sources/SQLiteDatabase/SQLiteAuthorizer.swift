import DataSources
import GRDBSQLite
import Glibc

/// Refuses what a statement of a script must not do.
///
/// - `fts3_tokenizer` calls an address that the statement contains.
/// - A pragma moves the temporary files of all connections.
/// - `ATTACH` opens another file, which the safe mode refuses; SQLite decides which statements do so.
enum SQLiteAuthorizer {
  /// Call it when the connection has attached its own files.
  static func install(on connection: OpaquePointer?) {
    sqlite3_set_authorizer(
      connection,
      { _, action, first, second, _, _ in
        let isRefused =
          switch action {
          case SQLITE_FUNCTION: SQLiteAuthorizer.isEqual(second, "fts3_tokenizer")
          case SQLITE_PRAGMA:
            SQLiteAuthorizer.isEqual(first, "temp_store_directory")
              || SQLiteAuthorizer.isEqual(first, "data_store_directory")
          // Some statements attach a temporary database, which has no name.
          case SQLITE_ATTACH: SafeMode.isOn && first.map { $0.pointee != 0 } ?? true
          default: false
          }
        return isRefused ? SQLITE_DENY : SQLITE_OK
      }, nil)
  }

  /// The error of a statement that was refused.
  static var message: String {
    SafeMode.isOn
      ? "`--safe` allows no statement that opens another file, moves temporary files or replaces a "
        + "tokenizer"
      : "a statement cannot move temporary files or replace a tokenizer"
  }

  private static func isEqual(_ name: UnsafePointer<CChar>?, _ other: String) -> Bool {
    name.map { strcasecmp($0, other) == 0 } ?? false
  }
}
