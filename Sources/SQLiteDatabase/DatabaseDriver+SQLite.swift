public import Databases

extension DatabaseDriver {
  /// Files of SQLite.
  public static let sqlite = DatabaseDriver(
    name: "sqlite", title: "SQLite",
    recognizes: { $0.starts(with: SQLiteFormat.mark) }
  ) { address, options, cancellation in
    let connection = try SQLiteConnection(address, options)
    try await connection.check(cancellation)
    return connection
  }
}
