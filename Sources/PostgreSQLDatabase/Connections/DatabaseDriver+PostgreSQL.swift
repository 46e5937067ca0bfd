public import Databases

extension DatabaseDriver {
  /// PostgreSQL, version 12 and later, through libpq, which the first connection opens.
  ///
  /// An address takes libpq's parameters (`?sslmode=verify-full`) and several hosts. Passwords come
  /// from the options, the address, `PGPASSWORD` or `~/.pgpass`.
  public static let postgres = DatabaseDriver(
    name: "postgres", title: "PostgreSQL", otherSchemes: ["postgresql"]
  ) { address, options, cancellation in
    try await PostgreSQLConnection.open(address, options, cancellation)
  }
}
