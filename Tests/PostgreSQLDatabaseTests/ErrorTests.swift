import DataSources
import DataTables
import Databases
import PostgreSQLDatabase
import TestSupport
import Testing

@Suite(.requires(.postgres)) struct ErrorTests {
  @Test func anUnknownTableIsNamed() async throws {
    try await Server.run { server in
      let error = try await server.failure("SELECT * FROM \"no such\"")
      #expect(error?.kind == .unknownTable("no such"))
      #expect(error?.code == "42P01")
      #expect(error?.offset == 14)
    }
  }

  @Test(arguments: [("nme", "nme"), ("p.nme", "nme"), ("\"Na me\"", "Na me")])
  func anUnknownColumnIsNamed(column: String, name: String) async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE people (name text)")
      let error = try await server.failure(SQL("SELECT " + column + " FROM people p"))
      #expect(error?.kind == .unknownColumn(name))
    }
  }

  @Test func aHintIsAppended() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE people (name text)")
      let error = try await server.failure("SELECT nam FROM people")
      #expect(
        error?.message
          == #"column "nam" does not exist; perhaps you meant to reference the column "people.name""#
      )
    }
  }

  @Test func thePositionCountsCharacters() async throws {
    try await Server.run { server in
      let error = try await server.failure("SELECT 'é👍🏽', wrong +")
      #expect(error?.kind == .engine)
      #expect(error?.code == "42601")
      #expect(error?.message == "syntax error at end of input")
      let short = try await server.failure("SELECT 'é' x y")
      #expect(short?.offset == 13)
      #expect(short?.statement == "SELECT 'é' x y")
    }
  }

  @Test func aWriteInASnapshotIsDenied() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      #expect(try await server.failure("INSERT INTO t VALUES (1)")?.kind == .denied)
      #expect(try await server.failure("DROP TABLE t")?.kind == .denied)
    }
  }

  @Test func anEscapeFromTheSnapshotCannotWrite() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let snapshot = try await server.snapshot()
      for statement in ["SET default_transaction_read_only = off", "COMMIT"] {
        _ = try? await snapshot.rows(SQL(statement))
      }
      await #expect(throws: DatabaseError.self) {
        _ = try await snapshot.rows("INSERT INTO t VALUES (1)")
      }
      #expect(try await server.value("SELECT count(*) FROM t").json == "0")
    }
  }

  @Test func aConnectionForReadingCannotWrite() async throws {
    try await Server.run(isWritable: false) { server in
      await #expect(
        throws: DatabaseError(
          .denied, "the database was opened for reading", code: "25006")
      ) {
        try await server.execute("CREATE TABLE t (a int)")
      }
      await #expect(throws: DatabaseError.self) {
        try await server.connection.insert(
          into: TableName("t"), columns: [], cancellation: Cancellation()
        ) { [] }
      }
    }
  }

  @Test func twoStatementsAreRejected() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      #expect(try await server.failure("SELECT 1; SELECT 2")?.code == "42601")
      await #expect(throws: DatabaseError.self) {
        try await server.execute("INSERT INTO t VALUES (1); DROP TABLE t")
      }
      #expect(try await server.value("SELECT count(*) FROM t").json == "0")
    }
  }

  @Test func anEmptyStatementIsRejected() async throws {
    try await Server.run { server in
      let error = try await server.failure(" -- nothing")
      #expect(error?.message == "the statement is empty")
    }
  }

  @Test func anExistingTableIsNamed() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE \"my t\" (a int)")
      let error = await #expect(throws: DatabaseError.self) {
        try await server.execute("CREATE TABLE \"my t\" (a int)")
      }
      #expect(error?.kind == .exists("my t"))
    }
  }

  @Test func aViolationNamesTheValue() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int PRIMARY KEY)")
      try await server.execute("INSERT INTO t VALUES (1)")
      let error = await #expect(throws: DatabaseError.self) {
        try await server.execute("INSERT INTO t VALUES (1)")
      }
      #expect(
        error?.message
          == #"duplicate key value violates unique constraint "t_pkey"; key (a)=(1) already exists"#
      )
    }
  }

  @Test func aStatementAfterAnErrorReadsTheSameState() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let snapshot = try await server.snapshot("t")
      await #expect(throws: DatabaseError.self) { _ = try await snapshot.rows("SELECT 1/0") }
      try await server.execute("INSERT INTO t VALUES (1)")
      #expect(try await snapshot.rows("SELECT count(*) FROM t")[0][0].json == "0")
    }
  }

  @Test func aMissingPermissionIsReported() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let databases = TestDatabases.running
      var address = try DatabaseAddress(parsing: try #require(databases.postgres))
      address.user = databases.user
      address.password = databases.password
      let guest = try await DatabaseDriver.postgres.connect(
        address, ConnectionOptions(), Cancellation())
      let snapshot = try await guest.snapshot(of: [], cancellation: Cancellation())
      let error = await #expect(throws: DatabaseError.self) {
        _ = try await snapshot.rows(SQL("SELECT * FROM " + server.schema + ".t"))
      }
      #expect(error?.kind == .access)
      #expect(error?.code == "42501")
      #expect(
        !(try await guest.tables(cancellation: Cancellation())).contains {
          $0.name.name == "t" && $0.name.schema == server.schema
        })
      await guest.close()
    }
  }

  @Test func copyIsRejected() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let message = "COPY from or to the client is not supported"
      #expect(try await server.failure("COPY t TO STDOUT")?.message == message)
      await #expect(throws: DatabaseError.self) { try await server.execute("COPY t FROM STDIN") }
      #expect(try await server.value("SELECT 1").json == "1")
    }
  }

  @Test func noticesAreNotErrors() async throws {
    try await Server.run { server in
      let changed = try await server.execute("DROP TABLE IF EXISTS missing")
      #expect(changed == 0)
      try await server.execute("DO $$ BEGIN RAISE WARNING 'careful'; END $$")
    }
  }
}
