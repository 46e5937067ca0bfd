import DataSources
import DataTables
import Databases
import GRDBSQLite
import Synchronization

/// A database file.
///
/// One connection runs statements and another notices changes; each snapshot has a connection of its
/// own. In WAL mode it holds a read transaction, so that it reads one state while others write. In
/// the other modes that would keep others from writing, so each read checks that nothing has changed.
final class SQLiteConnection: DatabaseConnection {
  let address: DatabaseAddress
  let isWritable: Bool
  let dialect: any SQLDialect
  private let path: String
  private let attached: [(schema: String, path: String)]
  private let timeout: Duration
  private let idle: Duration
  private let functions = SQLiteFunctions()
  private let main: SQLiteReader
  /// Never writes, so that its `PRAGMA data_version` changes with every change.
  private let watcher: SQLiteReader
  /// Reads beside the connections of snapshots; opened by the first use.
  let scanner = Mutex<SQLiteReader?>(nil)
  let knownFacts = KnownFacts<Int>()

  init(_ address: DatabaseAddress, _ options: ConnectionOptions) throws(DatabaseError) {
    self.address = address
    path = address.database
    attached = options.attached
    isWritable = options.isWritable
    timeout = options.timeout ?? .seconds(5)
    idle = options.idle
    dialect = SQLiteDialect(functions: functions)
    main = try SQLiteReader(
      path, attached: attached, isWritable: isWritable, timeout: timeout, functions: functions)
    watcher = try SQLiteReader(
      path, attached: attached, isWritable: false, timeout: timeout, functions: functions)
  }

  /// - Throws: ``DatabaseError`` for a file that is not a database.
  func check(_ cancellation: Cancellation) async throws {
    let path = path
    try await watcher.run(cancellation) { connection in
      try SQLiteStatement("BEGIN", connection).run(with: [])
      defer { try? SQLiteStatement("COMMIT", connection).run(with: []) }
      // Reads the first page of each file.
      for (schema, _) in try SQLiteCatalog.schemas(connection) {
        let name = SQL(SQLiteDialect.name(schema))
        try SQLiteStatement("SELECT count(*) FROM \(name).sqlite_schema", connection).run(with: [])
      }
      try SQLiteSize.check(fileAt: path, of: connection)
    }
  }

  func tables(cancellation: Cancellation) async throws -> [TableSummary] {
    let dialect = dialect
    return try await main.run(cancellation) { connection in
      var summaries: [TableSummary] = []
      for (schema, name) in try SQLiteCatalog.schemas(connection) {
        for table in try SQLiteCatalog.tables(of: schema, dialect, connection) {
          var summary = TableSummary(
            name: TableName(table.name, schema: name), isView: table.isView)
          summary.primaryKey = try SQLiteCatalog.schema(
            TableName(table.name, schema: schema), dialect, connection
          ).primaryKey
          let count = try SQLiteStatement(
            "SELECT count(*) FROM \(SQL(dialect.name(schema))).\(SQL(dialect.name(table.name)))",
            connection)
          if try count.next(), case .integer(let rows) = count.row()[0] { summary.rows = rows }
          summaries.append(summary)
        }
      }
      return summaries
    }
  }

  func tableNames(cancellation: Cancellation) async throws -> [TableName] {
    let dialect = dialect
    return try await main.run(cancellation) { connection in
      var names: [TableName] = []
      for (schema, name) in try SQLiteCatalog.schemas(connection) {
        names += try SQLiteCatalog.tables(of: schema, dialect, connection).map {
          TableName($0.name, schema: name)
        }
      }
      return names
    }
  }

  func schema(of table: TableName, cancellation: Cancellation) async throws -> TableSchema {
    let dialect = dialect
    return try await main.run(cancellation) { connection in
      try SQLiteCatalog.schema(table, dialect, connection)
    }
  }

  func snapshot(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> any DatabaseSnapshot {
    let state = fileState
    let version = try await version(cancellation)
    let reader = try makeReader()
    let snapshot = try await SQLiteSnapshot(
      reader, of: self, version: version, idle: idle, cancellation: cancellation)
    // A change meanwhile may or may not belong to the snapshot.
    if fileState == state { snapshot.token = state }
    return snapshot
  }

  /// All files, and the logs to which changes are written first in WAL mode.
  var files: [String]? { allPaths.flatMap { [$0, $0 + "-wal"] } }

  private var allPaths: [String] { [path] + attached.map(\.path) }

  private var fileState: String? {
    var states: [String] = []
    for path in allPaths {
      guard let state = SQLiteFileState.text(ofFileAt: path) else { return nil }
      states.append(state)
    }
    return states.joined(separator: " ")
  }

  func changeMark(of tables: [TableName], cancellation: Cancellation) async throws -> String? {
    String(try await version(cancellation))
  }

  /// A connection of its own for a snapshot.
  func makeReader() throws(DatabaseError) -> SQLiteReader {
    try SQLiteReader(
      path, attached: attached, isWritable: false, timeout: timeout, functions: functions)
  }

  /// A number that changes with every change by any program.
  func version(_ cancellation: Cancellation) async throws -> Int {
    try await watcher.run(cancellation) { connection in
      // The version of each file only grows.
      try SQLiteCatalog.schemas(connection).reduce(0) { sum, schema in
        let name = SQL(SQLiteDialect.name(schema.schema))
        let statement = try SQLiteStatement("PRAGMA \(name).data_version", connection)
        guard try statement.next(), case .integer(let version) = statement.row()[0] else {
          return sum
        }
        return sum &+ version
      }
    }
  }

  /// - Throws: ``DatabaseError``, also for a statement that begins a transaction: a transaction cannot
  ///   last longer than one statement.
  @discardableResult
  func execute(_ statement: SQL, cancellation: Cancellation) async throws -> Int? {
    try await execute(statement, mayBegin: false, cancellation)
  }

  @discardableResult
  private func execute(
    _ statement: SQL, mayBegin: Bool, _ cancellation: Cancellation
  ) async throws -> Int? {
    let isWritable = isWritable
    return try await main.run(cancellation) { connection in
      let prepared = try SQLiteStatement(statement, connection)
      guard isWritable || prepared.isReadOnly else {
        throw DatabaseError(.denied, "the database is open for reading only")
      }
      let before = sqlite3_total_changes64(connection)
      while try prepared.next() {}
      if !mayBegin, sqlite3_get_autocommit(connection) == 0 {
        try SQLiteStatement("ROLLBACK", connection).run(with: [])
        throw DatabaseError(
          .engine, "a transaction cannot last longer than one statement, and was rolled back")
      }
      return Int(sqlite3_total_changes64(connection) - before)
    }
  }

  func insert(
    into table: TableName, columns: [DatabaseColumn], cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    try await write([], then: columns, to: table, cancellation, rows)
  }

  func create(
    _ table: TableName, columns: [DatabaseColumn], isReplacing: Bool, cancellation: Cancellation,
    rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    let declarations = columns.map { column -> SQL in
      "\(SQL(dialect.name(column.name))) \(SQL(column.kind.sqliteType))"
    }
    let drop: SQL = "DROP TABLE IF EXISTS \(name(of: table))"
    let create: SQL = "CREATE TABLE \(name(of: table)) (\(declarations.joined(separator: ", ")))"
    try await write(
      isReplacing ? [drop, create] : [create], then: columns, to: table, cancellation, rows)
  }

  func name(of table: TableName) -> SQL {
    SQL((table.schema.map { dialect.name($0) + "." } ?? "") + dialect.name(table.name))
  }

  /// Runs statements and adds rows, in one transaction.
  private func write(
    _ statements: [SQL], then columns: [DatabaseColumn], to table: TableName,
    _ cancellation: Cancellation, _ rows: @Sendable () async throws -> [[Value]]
  ) async throws {
    guard isWritable else {
      throw DatabaseError(.denied, "the database is open for reading only")
    }
    let names = columns.map { SQL(dialect.name($0.name)) }.joined(separator: ", ")
    let target: SQL = "\(name(of: table)) (\(names))"
    try await execute("BEGIN IMMEDIATE", mayBegin: true, cancellation)
    do {
      for statement in statements { try await execute(statement, mayBegin: true, cancellation) }
      while true {
        let batch = try await rows()
        guard let first = batch.first else { break }
        try await main.run(cancellation) { connection in
          let values = first.map { value -> SQL in "\(value: value)" }.joined(separator: ", ")
          let insert = try SQLiteStatement("INSERT INTO \(target) VALUES (\(values))", connection)
          for row in batch { try insert.run(with: row) }
        }
      }
      try await execute("COMMIT", mayBegin: true, cancellation)
    } catch {
      // The transaction ends even if the work was canceled.
      _ = try? await execute("ROLLBACK", mayBegin: true, Cancellation())
      // After a failed write, SQLite restores the file in the next read: a new one is empty then.
      _ = try? await execute("SELECT count(*) FROM sqlite_schema", cancellation: Cancellation())
      throw error
    }
  }

  func close() async {
    main.close()
    watcher.close()
    scanner.withLock { $0 }?.close()
  }
}
