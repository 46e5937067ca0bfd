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
  private let timeout: Duration
  private let idle: Duration
  private let functions = SQLiteFunctions()
  private let main: SQLiteReader
  /// Never writes, so that its `PRAGMA data_version` changes with every change.
  private let watcher: SQLiteReader
  private let facts = Mutex<[FactsKey: ColumnFacts]>([:])

  private struct FactsKey: Hashable {
    let table: TableName
    let column: String
    let version: Int
  }

  init(_ address: DatabaseAddress, _ options: ConnectionOptions) throws(DatabaseError) {
    self.address = address
    path = address.database
    isWritable = options.isWritable
    timeout = options.timeout ?? .seconds(5)
    idle = options.idle
    dialect = SQLiteDialect(functions: functions)
    main = try SQLiteReader(
      path, isWritable: options.isWritable, timeout: timeout, functions: functions)
    watcher = try SQLiteReader(path, isWritable: false, timeout: timeout, functions: functions)
  }

  /// - Throws: ``DatabaseError`` for a file that is not a database.
  func check(_ cancellation: Cancellation) async throws {
    try await main.run(cancellation) { connection in
      // Reads the first page of the file.
      let statement = try SQLiteStatement("PRAGMA schema_version", connection)
      _ = try statement.next()
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

  func schema(of table: TableName, cancellation: Cancellation) async throws -> TableSchema {
    let dialect = dialect
    return try await main.run(cancellation) { connection in
      try SQLiteCatalog.schema(table, dialect, connection)
    }
  }

  func snapshot(
    of tables: [TableName], cancellation: Cancellation
  ) async throws -> any DatabaseSnapshot {
    let state = SQLiteFileState.text(ofFileAt: path)
    let version = try await version(cancellation)
    let reader = try SQLiteReader(path, isWritable: false, timeout: timeout, functions: functions)
    let snapshot = try await SQLiteSnapshot(
      reader, of: self, version: version, idle: idle, cancellation: cancellation)
    // A change meanwhile may or may not belong to the snapshot.
    if SQLiteFileState.text(ofFileAt: path) == state { snapshot.token = state }
    return snapshot
  }

  /// The file, and the log to which changes are written first in WAL mode.
  var files: [String]? { [path, path + "-wal"] }

  func changeMark(of tables: [TableName], cancellation: Cancellation) async throws -> String? {
    String(try await version(cancellation))
  }

  /// A number that changes with every change by any program.
  func version(_ cancellation: Cancellation) async throws -> Int {
    try await watcher.run(cancellation) { connection in
      let statement = try SQLiteStatement("PRAGMA data_version", connection)
      guard try statement.next(), case .integer(let version) = statement.row()[0] else { return 0 }
      return version
    }
  }

  func facts(
    of column: DatabaseColumn, in table: TableSchema, on snapshot: any DatabaseSnapshot,
    cancellation: Cancellation
  ) async throws -> ColumnFacts {
    guard let snapshot = snapshot as? SQLiteSnapshot else { return ColumnFacts() }
    if table.primaryKey == [column.name], column.declaredType.uppercased() == "INTEGER" {
      // Another name of the row number.
      return .ordered([.number], hasNulls: false)
    }
    let key = FactsKey(table: table.name, column: column.name, version: snapshot.version)
    if let known = facts.withLock({ $0[key] }) { return known }
    let read = try await snapshot.facts(of: column, in: table, dialect, cancellation)
    facts.withLock { $0[key] = read }
    return read
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

  private func name(of table: TableName) -> SQL {
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
      throw error
    }
  }

  func close() async {
    main.close()
    watcher.close()
  }
}

/// One state of a database file.
final class SQLiteSnapshot: DatabaseSnapshot {
  /// The version of the database when the snapshot was taken.
  let version: Int
  private let reader: SQLiteReader
  private let connection: SQLiteConnection
  private let isTransaction: Bool
  private let state = Mutex<String?>(nil)

  init(
    _ reader: SQLiteReader, of connection: SQLiteConnection, version: Int, idle: Duration,
    cancellation: Cancellation
  ) async throws {
    self.reader = reader
    self.connection = connection
    self.version = version
    isTransaction = try await reader.run(cancellation) { connection in
      let mode = try SQLiteStatement("PRAGMA journal_mode", connection)
      guard try mode.next(), mode.row()[0] == "wal" else { return false }
      let begin = try SQLiteStatement("BEGIN", connection)
      _ = try begin.next()
      // The transaction begins with its first read.
      let first = try SQLiteStatement("SELECT count(*) FROM sqlite_schema", connection)
      _ = try first.next()
      return true
    }
  }

  deinit { reader.close() }

  fileprivate(set) var token: String? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func isCurrent(cancellation: Cancellation) async throws -> Bool {
    try await connection.version(cancellation) == version
  }

  /// - Throws: ``DatabaseError``, `changed`.
  private func check(_ cancellation: Cancellation) async throws {
    guard !isTransaction else { return }
    guard try await isCurrent(cancellation: cancellation) else {
      throw DatabaseError(.changed, "the database has changed since it was fetched")
    }
  }

  func rows(_ statement: SQL, cancellation: Cancellation) async throws -> RowSet {
    let result = try await explaining(cancellation) { connection in
      let prepared = try SQLiteStatement(statement, connection)
      guard prepared.isReadOnly else {
        throw DatabaseError(.denied, "the statement writes; `exec` runs statements that write")
      }
      // ATTACH and BEGIN would have an effect on this snapshot only.
      guard !prepared.columns.isEmpty else {
        throw DatabaseError(.engine, "the statement returns no rows; `exec` runs it")
      }
      var rows: [[Value]] = []
      while try prepared.next() { rows.append(prepared.row()) }
      return RowSet(columns: prepared.columns, rows: rows)
    }
    // After the read: a change before it is noticed, too.
    try await check(cancellation)
    return result
  }

  /// A table or a column that is gone is a change, unless it was never there.
  private func explaining<Result: Sendable>(
    _ cancellation: Cancellation, _ work: @escaping @Sendable (OpaquePointer) throws -> Result
  ) async throws -> Result {
    do {
      return try await reader.run(cancellation, work)
    } catch let error as DataSources.DatabaseError where error.unknownName != nil {
      try await check(cancellation)
      throw error
    }
  }

  func forEachBatch(
    of size: Int, _ statement: SQL, cancellation: Cancellation,
    _ body: @Sendable (RowSet) async throws -> Bool
  ) async throws {
    let all = try await rows(statement, cancellation: cancellation)
    for start in stride(from: 0, to: all.rows.count, by: max(1, size)) {
      let end = min(all.rows.count, start + max(1, size))
      let batch = RowSet(columns: all.columns, rows: Array(all.rows[start..<end]))
      guard try await body(batch) else { return }
    }
  }

  func digest(
    of table: TableSchema, key: DatabaseColumn, cancellation: Cancellation
  ) async throws -> TableDigest? {
    guard let number = table.rowIdentity.first else { return nil }
    let dialect = connection.dialect
    let columns = ([key] + table.columns).map { SQL(dialect.name($0.name)) }
    let schema = table.name.schema.map { dialect.name($0) + "." } ?? ""
    let statement: SQL = """
      SELECT \(number), \(columns.joined(separator: ", ")) \
      FROM \(SQL(schema))\(SQL(dialect.name(table.name.name))) ORDER BY \(number)
      """
    let digest = try await reader.run(cancellation) { connection in
      try RowHashes.read(SQLiteStatement(statement, connection))
    }
    try await check(cancellation)
    return digest
  }

  /// Reads a column once to find the types and the form of its values.
  func facts(
    of column: DatabaseColumn, in table: TableSchema, _ dialect: any SQLDialect,
    _ cancellation: Cancellation
  ) async throws -> ColumnFacts {
    let name = SQL(dialect.name(column.name))
    let schema = table.name.schema.map { dialect.name($0) + "." } ?? ""
    let statement: SQL = "SELECT \(name) FROM \(SQL(schema))\(SQL(dialect.name(table.name.name)))"
    let facts = try await explaining(cancellation) { connection in
      let prepared = try SQLiteStatement(statement, connection)
      var scan = ColumnScan(kind: column.kind)
      while try prepared.next() { scan.add(prepared.statement) }
      return scan.facts
    }
    try await check(cancellation)
    return facts
  }
}
