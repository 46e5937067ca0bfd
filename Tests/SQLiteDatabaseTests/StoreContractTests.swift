import DataSources
import DataTables
import Databases
import SQLiteDatabase
import StoreContract
import Synchronization
import Testing

/// The contract of stores, for tables of SQLite.
@Suite struct StoreContractTests {
  /// A table of the rows, in a database with a table for each number of rows and each version.
  private static func source(
    _ rows: SyntheticRows, in file: TestFile
  ) async throws -> any DataSource {
    let name = TableName("t\(rows.count)v\(rows.version)")
    let connection = try await file.connect(isWritable: true)
    let database = Database(connection, driver: .sqlite)
    let tables = try await connection.tableNames(cancellation: Cancellation())
    if !tables.contains(name) { try await fill(name, with: rows, connection) }
    return try await TableSource.open(name, of: database)
  }

  private static func fill(
    _ name: TableName, with rows: SyntheticRows, _ connection: any DatabaseConnection
  ) async throws {
    let statement =
      "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER, "
      + "price REAL, born DATE, active BOOLEAN)"
    // Another table may be filled while one is read.
    try await connection.execute("PRAGMA journal_mode = WAL", cancellation: Cancellation())
    try await connection.execute(SQL(statement), cancellation: Cancellation())
    let rest = Mutex<[[Value]]>((0..<rows.count).map(rows.values(at:)))
    try await connection.insert(
      into: name,
      columns: try await connection.schema(of: name, cancellation: Cancellation()).columns,
      cancellation: Cancellation()
    ) {
      rest.withLock { rest in
        defer { rest = [] }
        return rest
      }
    }
  }

  private static func contract(_ file: TestFile) -> StoreContract {
    StoreContract { try await source($0, in: file) }
  }

  @Test(arguments: [0, 1, 70]) func readsAreThoseInMemory(count: Int) async throws {
    try await TestFile.run { file in
      let violations = try await Self.contract(file).violations(SyntheticRows(count))
      #expect(violations == [])
    }
  }

  @Test(arguments: Wrapping.all) func wrappersShowTheSame(wrapping: Wrapping) async throws {
    try await TestFile.run { file in
      for count in [0, 70] {
        let violations = try await Self.contract(file)
          .violations(SyntheticRows(count), of: [wrapping])
        #expect(violations == [], "\(count) rows")
      }
    }
  }

  @Test(arguments: Wrapping.all) func wrappersOfWrappersShowTheSame(inner: Wrapping) async throws {
    try await TestFile.run { file in
      for outer in inner.others() {
        let violations = try await Self.contract(file)
          .violations(SyntheticRows(40), of: [inner, outer])
        #expect(violations == [], "\(outer) over \(inner)")
      }
    }
  }

  @Test func changesAreThoseInMemory() async throws {
    try await TestFile.run { file in
      for wrapping in [nil] + Wrapping.all.map(Optional.some) {
        let violations = try await Self.contract(file).violationsOfChanges(
          from: SyntheticRows(90), to: SyntheticRows(83, version: 2), of: wrapping)
        #expect(violations == [], "\(wrapping?.description ?? "the source")")
      }
    }
  }
}
