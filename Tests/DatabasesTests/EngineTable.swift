import ClickHouseDatabase
import DataTables
import DatabaseTestSupport
import Glibc
import HTTPTransport
import PostgreSQLDatabase
import SQLiteDatabase
import TestSupport
import Testing

@testable import Databases

/// An engine of the tests. Those whose servers do not run are left out.
enum Engine: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgres, clickhouse

  static var running: [Engine] {
    allCases.filter { engine in
      switch engine {
      case .sqlite: true
      case .postgres: TestDatabases.running.has(.postgres)
      case .clickhouse: TestDatabases.running.has(.clickhouse)
      }
    }
  }

  var testDescription: String { rawValue }

  private var driver: DatabaseDriver {
    switch self {
    case .sqlite: .sqlite
    case .postgres: .postgres
    case .clickhouse: .clickHouse(over: HTTPTransport(userAgent: "dsshell/test"))
    }
  }

  /// The address of the server, with another database unless it is empty.
  private static func clickHouse(database: String) throws -> String {
    let address = try #require(TestDatabases.running.clickhouse)
    guard !database.isEmpty, let end = address.lastIndex(of: "/") else { return address }
    return address[...end] + database
  }

  private func address(file: String, _ parameters: String) throws -> DatabaseAddress {
    switch self {
    case .sqlite: DatabaseAddress(file: file)
    case .postgres:
      try DatabaseAddress(parsing: #require(TestDatabases.running.postgres) + parameters)
    case .clickhouse:
      try DatabaseAddress(parsing: Self.clickHouse(database: parameters))
    }
  }

  /// Runs a test with a table of its own, and drops the table.
  ///
  /// - Parameters:
  ///   - parameters: those of the address of PostgreSQL, with the question mark.
  ///   - statements: are run then; `NAME` stands for the name of the table.
  func withTable(
    _ columns: [DatabaseColumn], _ rows: [[Value]], parameters: String = "",
    then statements: [String] = [], _ test: (Database, String) async throws -> Void
  ) async throws {
    var template = Array("/tmp/databases-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    let path = folder + "/test.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
      rmdir(folder)
    }
    var options = ConnectionOptions()
    options.isWritable = true
    let name = "dsshell_test_\(UInt64.random(in: .min ... .max))"
    // The state of a view of ClickHouse is that of its whole database.
    let owner =
      self == .clickhouse
      ? try await Database.open(
        address(file: path, ""), options, with: driver, cancellation: Cancellation()) : nil
    try await owner?.connection.execute(
      SQL("CREATE DATABASE " + name), cancellation: Cancellation())
    let database = try await Database.open(
      address(file: path, owner == nil ? parameters : name), options, with: driver,
      cancellation: Cancellation())
    let batches = Batches([rows])
    func run(_ statement: String) async throws {
      try await database.connection.execute(
        SQL(statement.replacing("NAME", with: name)), cancellation: Cancellation())
    }
    try await database.connection.create(
      TableName(name), columns: columns, isReplacing: false, cancellation: Cancellation()
    ) { await batches.next() }
    var failure: (any Error)?
    do {
      for statement in statements { try await run(statement) }
      try await test(database, name)
    } catch { failure = error }
    if self == .postgres {
      try await run("DROP VIEW IF EXISTS NAME_view")
      try await run("DROP TABLE NAME")
    }
    try await owner?.connection.execute(
      SQL("DROP DATABASE " + name), cancellation: Cancellation())
    await owner?.connection.close()
    await database.connection.close()
    if let failure { throw failure }
  }
}
