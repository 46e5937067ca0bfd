import DataSources
import DataTables
import Databases
import GRDBSQLite
import Synchronization

/// One state of a database file.
final class SQLiteSnapshot: DatabaseSnapshot {
  /// The version of the database when it was last known to have this state.
  var version: Int { lastVersion.withLock { $0 } }
  private let lastVersion: Mutex<Int>
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
    lastVersion = Mutex(version)
    isTransaction = try await reader.run(cancellation) { connection in
      let schemas = try SQLiteCatalog.schemas(connection).map { SQL(SQLiteDialect.name($0.schema)) }
      for schema in schemas {
        let mode = try SQLiteStatement("PRAGMA \(schema).journal_mode", connection)
        guard try mode.next(), mode.row()[0] == "wal" else { return false }
      }
      try SQLiteStatement("BEGIN", connection).run(with: [])
      // The transaction begins with the first read of each file.
      for schema in schemas {
        _ = try SQLiteStatement("SELECT count(*) FROM \(schema).sqlite_schema", connection).next()
      }
      return true
    }
  }

  deinit { reader.close() }

  var token: String? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func isCurrent(cancellation: Cancellation) async throws -> Bool {
    try await connection.version(cancellation) == version
  }

  /// A transaction is not kept longer: the log would grow as long as other tables change.
  func goOn(with other: any DatabaseSnapshot) -> Bool {
    guard !isTransaction, let other = other as? SQLiteSnapshot, other.connection === connection
    else { return false }
    lastVersion.withLock { $0 = other.version }
    token = other.token
    return true
  }

  /// - Throws: ``DatabaseError``, `changed`.
  func check(_ cancellation: Cancellation) async throws {
    guard !isTransaction else { return }
    guard try await isCurrent(cancellation: cancellation) else {
      throw DatabaseError(.changed, "the database has changed since it was fetched")
    }
  }

  func rows(_ statement: SQL, cancellation: Cancellation) async throws -> RowSet {
    let result = try await explaining(cancellation) { connection in
      try SQLiteRows(statement, connection).next(.max)
    }
    // After the read: a change before it is noticed, too.
    try await check(cancellation)
    return result
  }

  /// A table or a column that is gone is a change, unless it was never there.
  func explaining<Result: Sendable>(
    _ cancellation: Cancellation, _ work: @escaping @Sendable (OpaquePointer) throws -> Result
  ) async throws -> Result {
    do {
      return try await reader.run(cancellation, work)
    } catch let error as DatabaseError where error.unknownName != nil {
      try await check(cancellation)
      throw error
    }
  }

  func forEachBatch(
    of size: Int, _ statement: SQL, cancellation: Cancellation,
    _ body: @Sendable (RowSet) async throws -> Bool
  ) async throws {
    let rows = try await explaining(cancellation) { try SQLiteRows(statement, $0) }
    do {
      while !rows.isAtEnd {
        let batch = try await explaining(cancellation) { _ in try rows.next(max(1, size)) }
        guard try await body(batch) else { break }
      }
    } catch {
      await reader.finish { rows.close() }
      throw error
    }
    await reader.finish { rows.close() }
    try await check(cancellation)
  }

  func digest(
    of table: TableSchema, key: DatabaseColumn, cancellation: Cancellation
  ) async throws -> TableDigest? {
    guard let number = table.rowIdentity.first else { return nil }
    let columns = [number] + ([key] + table.columns).map { SQL(SQLiteDialect.name($0.name)) }
    let rows: SQL = "\(connection.name(of: table.name)) NOT INDEXED"
    let ends = try await self.rows(
      "SELECT (SELECT min(\(number)) FROM \(rows)), (SELECT max(\(number)) FROM \(rows))",
      cancellation: cancellation
    ).rows[0]
    guard case .integer(let low) = ends[0], case .integer(let high) = ends[1] else {
      return TableDigest()
    }
    // Half of the rows are read by another connection, if it reads the same state.
    let middle: SQL = "\(value: .integer(low / 2 + high / 2))"
    let other = try connection.openScanner()
    async let upper = other.run(cancellation) { connection in
      try RowHashes.read(columns, from: "\(rows) WHERE \(number) > \(middle)", connection)
    }
    var digest = try await reader.run(cancellation) { connection in
      try RowHashes.read(columns, from: "\(rows) WHERE \(number) <= \(middle)", connection)
    }
    var rest = try await upper
    if try await !isCurrent(cancellation: cancellation) {
      try await check(cancellation)
      rest = try await reader.run(cancellation) { connection in
        try RowHashes.read(columns, from: "\(rows) WHERE \(number) > \(middle)", connection)
      }
    }
    guard let rest else { return nil }
    digest?.append(rest)
    return digest
  }

  /// The facts about columns, read by the connection of the snapshot.
  /// - Parameter rows: the table as it follows FROM.
  func facts(
    of columns: [DatabaseColumn], in rows: SQL, _ cancellation: Cancellation
  ) async throws -> FactsScan.Result {
    let facts = try await explaining(cancellation) { connection in
      try FactsScan(connection: connection, table: rows).facts(of: columns)
    }
    try await check(cancellation)
    return facts
  }
}
