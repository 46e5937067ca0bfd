import DataSources
import DataTables
import Databases

/// A database of a PostgreSQL server. Each statement runs in a session of a small pool.
final class PostgreSQLConnection: DatabaseConnection {
  let address: DatabaseAddress
  let isWritable: Bool
  let dialect: any SQLDialect = PostgreSQLDialect()
  private let pool: SessionPool
  private let listeningSessions = ListeningSessions()
  private let idle: Duration
  let knownFacts = KnownFacts<String?>()

  /// Connects to the server.
  static func open(
    _ address: DatabaseAddress, _ options: ConnectionOptions, _ cancellation: Cancellation
  ) async throws -> PostgreSQLConnection {
    let connection = PostgreSQLConnection(address, options)
    do {
      try await connection.pool.use(cancellation) { _ in }
    } catch var error as DatabaseError {
      if case .unknownDatabase = error.kind {
        error.known = await databases(at: address, options, cancellation)
      }
      throw error
    }
    return connection
  }

  /// The databases of the server, as those that every server has list them; empty if none can be
  /// opened.
  private static func databases(
    at address: DatabaseAddress, _ options: ConnectionOptions, _ cancellation: Cancellation
  ) async -> [String] {
    for name in ["postgres", "template1"] {
      var other = address
      other.database = name
      let connection = PostgreSQLConnection(other, options)
      let rows = try? await connection.run(cancellation) { wire, cancellation in
        try wire.rows(
          script: "SELECT datname::text FROM pg_catalog.pg_database WHERE datallowconn",
          cancellation)
      }
      await connection.close()
      if let rows { return rows.compactMap { $0.first?.string } }
    }
    return []
  }

  private init(_ address: DatabaseAddress, _ options: ConnectionOptions) {
    pool = SessionPool(ConnectionParameters(address, options))
    var shown = address
    shown.password = nil
    shown.parameters.removeAll { $0.name == "password" }
    self.address = shown
    isWritable = options.isWritable
    idle = options.idle
  }

  func tables(cancellation: Cancellation) async throws -> [TableSummary] {
    try await run(cancellation) { try Catalog(wire: $0).tables($1) }
  }

  func schema(of table: TableName, cancellation: Cancellation) async throws -> TableSchema {
    try await run(cancellation) { try Catalog(wire: $0).schema(of: table, $1) }
  }

  func snapshot(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> any DatabaseSnapshot {
    try await PostgreSQLSnapshot.begin(in: pool, tables: tables, idle: idle, cancellation)
  }

  @discardableResult
  func execute(_ statement: SQL, cancellation: Cancellation) async throws -> Int? {
    try requireWritable()
    if !statement.changesRowsOnly { await pool.releaseHolders() }
    let statement = try Statement(statement)
    return try await run(cancellation) { try $0.execute(statement, $1) }
  }

  func insert(
    into table: TableName, columns: [DatabaseColumn], cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    try await copy(TableCopy(table: table, columns: columns), cancellation, rows: rows)
  }

  /// Makes a table with rows in one transaction.
  ///
  /// - Parameter columns: the types are those of the kinds; a column of any values has JSON.
  /// - Throws: ``DatabaseError``: `exists` unless an existing table is replaced.
  func create(
    _ table: TableName, columns: [DatabaseColumn], isReplacing: Bool, cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    let columns = columns.map { column in
      var column = column
      column.declaredType = ServerType.name(for: column.kind)
      return column
    }
    let target: TableCopy.Target = isReplacing ? .replaced : .new
    if isReplacing { await pool.releaseHolders() }
    try await copy(
      TableCopy(table: table, columns: columns, target: target), cancellation, rows: rows)
  }

  private func copy(
    _ copy: TableCopy, _ cancellation: Cancellation, rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    try requireWritable()
    try await pool.use(cancellation) { session in
      do {
        try await session.run(cancellation) { try copy.begin(on: $0, $1) }
        var count = 0
        while true {
          let rows = try await rows()
          if rows.isEmpty { break }
          let first = count
          try await session.run(cancellation) { try copy.put(rows, first: first, on: $0, $1) }
          count += rows.count
        }
        try await session.run(cancellation) { try copy.end(on: $0, $1) }
      } catch {
        await session.complete { copy.stop(on: $0) }
        throw error
      }
    }
  }

  /// The counters of the tables, or the version of the server's state for views.
  func changeMark(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> String? {
    try await run(cancellation) { wire, cancellation in
      try wire.changeMark(of: tables, cancellation) ?? wire.beginReading(cancellation)
    }
  }

  func listening(
    to table: TableName, cancellation: Cancellation
  ) async throws -> ChangeListening {
    try await TableListener.begin(table, in: pool, with: listeningSessions, cancellation)
  }

  func close() async {
    await pool.close()
    await listeningSessions.close()
  }

  private func requireWritable() throws(DatabaseError) {
    guard isWritable else {
      throw DatabaseError(.denied, "the database was opened for reading", code: "25006")
    }
  }

  private func run<Result: Sendable>(
    _ cancellation: Cancellation, _ work: @escaping @Sendable (Wire, Cancellation) throws -> Result
  ) async throws -> Result {
    try await pool.use(cancellation) { try await $0.run(cancellation, work) }
  }
}

extension SQL {
  /// Whether the statement begins like one that needs no exclusive lock of a table.
  fileprivate var changesRowsOnly: Bool {
    let word = text { _, _ in "" }.drop { $0.isWhitespace }.prefix { $0.isLetter }
    return ["insert", "update", "delete", "select", "with", "values", "merge"]
      .contains(word.lowercased())
  }
}
