import DataSources
import DataTables
import Databases
import HTTPTransport
import TestSupport
import Testing

@testable import ClickHouseDatabase

@Suite(.requires(.clickhouse)) struct ErrorTests {
  private func error(of statement: SQL) async throws -> DatabaseError? {
    let connection = try await TestCluster.open(TestCluster.address())
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    return try await failure {
      _ = try await snapshot.rows(statement, cancellation: Cancellation())
    }
  }

  @Test func anUnknownTableColumnOrDatabaseIsNamed() async throws {
    let table = try await error(of: "SELECT * FROM nope")
    #expect(table?.kind == .unknownTable("nope"))
    #expect(table?.code == "60")
    #expect(table?.message == "table default.nope doesn't exist")
    #expect(table?.statement == "SELECT * FROM nope")
    #expect(try await error(of: "SELECT nope FROM system.one")?.kind == .unknownColumn("nope"))
    let database = try await error(of: "SELECT * FROM absent.x")
    #expect(database?.kind == .unknownDatabase("absent"))
    let connection = try await failure {
      _ = try await TestCluster.open(TestCluster.address(database: "absent"))
    }
    #expect(connection?.kind == .unknownDatabase("absent"))
  }

  @Test func aSyntaxErrorHasItsPlace() async throws {
    let error = try await error(of: "SELECT 'é', 1 FRO m x")
    #expect(error?.code == "62")
    #expect(error?.kind == .engine)
    #expect(error?.offset == 18)
    #expect(error?.message == "syntax error: failed at position 20: m x")
  }

  @Test func aBoundValueMovesThePlace() async throws {
    let error = try await error(of: "SELECT \(value: "é'") FRO m x")
    #expect(error?.statement == "SELECT 'é\\'' FRO m x")
    #expect(error?.offset == 17)
  }

  @Test(arguments: [
    "INSERT INTO system.one VALUES (1)", "CREATE TABLE x (a Int8) ENGINE = Memory",
    "DROP TABLE system.one",
  ])
  func aReadThatWritesIsDenied(statement: String) async throws {
    #expect(try await error(of: SQL(statement))?.kind == .denied)
  }

  @Test func aWriteNeedsAWritableConnection() async throws {
    let connection = try await TestCluster.open(TestCluster.address())
    let error = try await failure {
      try await connection.execute("CREATE DATABASE denied", cancellation: Cancellation())
    }
    #expect(error?.kind == .denied)
    #expect(error?.message == "the database is open for reading only")
    let insert = try await failure {
      try await connection.insert(
        into: TableName("x"), columns: [], cancellation: Cancellation()
      ) { [] }
    }
    #expect(insert?.kind == .denied)
  }

  @Test func twoStatementsAreRejectedAtTheSecond() async throws {
    let error = try await error(of: "SELECT 1; SELECT 2")
    #expect(error?.message == "a second statement follows; only one is allowed")
    #expect(error?.offset == 9)
    #expect(try await self.error(of: "SELECT ';' AS `;` -- ;\n ; /* ; */ ;") == nil)
  }

  @Test func aFormatIsRejectedAtItsPlace() async throws {
    let error = try await error(of: "SELECT 1 FORMAT JSON")
    #expect(error?.offset == 9)
    #expect(try await self.error(of: "SELECT 'x' AS format, 1 AS json") == nil)
  }

  @Test func aWrongPasswordIsNotShown() async throws {
    let user = TestDatabases.running.user
    let address = TestCluster.address().replacing("://", with: "://\(user):hunter2hunter2@")
    let error = try await failure { _ = try await TestCluster.open(address) }
    #expect(error?.kind == .access)
    #expect(error?.message == "wrong password for user \(user)")
    let password = TestDatabases.running.password
    let connection = try await TestCluster.open(
      TestCluster.address().replacing("://", with: "://\(user)@"), password: password)
    #expect(connection.address.password == nil)
    #expect(!"\(connection.address)".contains(password))
    let shown = try await failure {
      _ = try await connection.rows(
        "SELECT * FROM \(SQL(Literal.name(password)))", cancellation: Cancellation())
    }
    #expect(shown?.message.contains(password) == false)
  }

  @Test func noServerIsAConnectionErrorForAllHosts() async throws {
    let error = try await failure {
      _ = try await TestCluster.open("clickhouse://127.0.0.1:1,127.0.0.1:2")
    }
    #expect(error?.kind == .connection)
    #expect(
      error?.message == "could not connect to 127.0.0.1:1: Connection refused; "
        + "could not connect to 127.0.0.1:2: Connection refused")
    let second = TestCluster.address().replacing("://", with: "://127.0.0.1:1,")
    let connection = try await TestCluster.open(second)
    #expect(try await connection.rows("SELECT 1", cancellation: Cancellation()).rows.count == 1)
  }

  @Test(arguments: [
    (
      "clickhouse://h/?password=x",
      "a password is not a parameter of an address; it is written USER:PASSWORD@HOST"
    ),
    ("clickhouse://h/?readonly=0", "the connection sets `readonly` itself; remove it"),
    ("clickhouse://h/?secure=1", "`secure` is `1`; expected `true` or `false`"),
    ("clickhouse:///x", "the address has no host; write clickhouse://HOST:PORT/DATABASE"),
  ])
  func anAddressIsChecked(address: String, message: String) async throws {
    let error = try await failure { _ = try await TestCluster.open(address) }
    #expect(error?.kind == .connection)
    #expect(error?.message == message)
  }

  @Test func parametersAreSettings() async throws {
    let connection = try await TestCluster.open(TestCluster.address() + "?max_block_size=77")
    let rows = try await connection.rows(
      "SELECT value FROM system.settings WHERE name = 'max_block_size'",
      cancellation: Cancellation())
    #expect(rows.rows.first?.first?.string == "77")
    let error = try await failure {
      _ = try await TestCluster.open(TestCluster.address() + "?cluster=nope")
    }
    #expect(error?.message.hasPrefix("the server has no cluster `nope`; it has ") == true)
  }

  // The server looks at the time between blocks.
  @Test func aTimeLimitEndsTheStatement() async throws {
    let connection = try await TestCluster.open(
      TestCluster.address() + "?max_block_size=1", timeout: .milliseconds(300))
    let error = try await failure {
      _ = try await connection.rows(
        "SELECT sleep(0.2) FROM numbers(100)", cancellation: Cancellation())
    }
    #expect(error?.kind == .timeout)
    #expect(try await runningQueries("sleep(0.2) FROM numbers(100)") == 0)
  }

  @Test func aRaisedFlagEndsTheStatementOnTheServer() async throws {
    let connection = try await TestCluster.open(TestCluster.address() + "?max_block_size=1")
    let cancellation = Cancellation()
    let work = Task {
      try await connection.rows("SELECT sleep(0.21) FROM numbers(1000)", cancellation: cancellation)
    }
    while try await runningQueries("sleep(0.21)") == 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    cancellation.cancel()
    await #expect(throws: TableError.cancelled) { _ = try await work.value }
    #expect(try await runningQueries("sleep(0.21)") == 0)
  }

  @Test func closingEndsTheStatements() async throws {
    let connection = try await TestCluster.open(TestCluster.address() + "?max_block_size=1")
    let work = Task {
      try await connection.rows(
        "SELECT sleep(0.22) FROM numbers(1000)", cancellation: Cancellation())
    }
    while try await runningQueries("sleep(0.22)") == 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    await connection.close()
    await #expect(throws: TableError.cancelled) { _ = try await work.value }
    #expect(try await runningQueries("sleep(0.22)") == 0)
    let error = try await failure {
      _ = try await connection.rows("SELECT 1", cancellation: Cancellation())
    }
    #expect(error?.message == "the connection is closed")
  }
}

/// The number of running queries that contain a text, on the first server.
func runningQueries(_ text: String) async throws -> Int {
  let connection = try await TestCluster.open(TestCluster.address())
  return try await connection.rows(
    """
    SELECT query_id FROM system.processes WHERE position(query, \(value: .string(text))) > 0 \
    AND position(query, 'system.processes') = 0
    """, cancellation: Cancellation()
  ).rows.count
}
