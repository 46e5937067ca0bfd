import DataSources
import DataTables
import Databases
import TestSupport
import Testing

@Suite(.requires(.postgres)) struct CatalogTests {
  private func tables(_ server: Server) async throws -> [TableSummary] {
    try await server.connection.tables(cancellation: Cancellation()).filter {
      $0.name.schema == nil
    }
  }

  private func schema(_ table: String, _ server: Server) async throws -> TableSchema {
    try await server.connection.schema(of: TableName(table), cancellation: Cancellation())
  }

  @Test func tablesAreListed() async throws {
    try await Server.run { server in
      // The server must not analyze the table by itself meanwhile.
      try await server.execute(
        """
        CREATE TABLE b (x int, y int, z int, PRIMARY KEY (z, x))
        WITH (autovacuum_enabled = false)
        """)
      try await server.execute("CREATE TABLE \"A \"\"q\"\" é\" (x int)")
      try await server.execute("CREATE VIEW v AS SELECT * FROM b")
      try await server.execute("CREATE MATERIALIZED VIEW m AS SELECT * FROM b")
      try await server.execute("INSERT INTO b SELECT i, i, i FROM generate_series(1, 500) i")
      #expect(try await tables(server).first { $0.name.name == "b" }?.rows == nil)
      try await server.execute("ANALYZE b")
      let found = try await tables(server)
      #expect(found.map(\.name.name) == ["A \"q\" é", "b", "m", "v"])
      #expect(found.map(\.isView) == [false, false, true, true])
      #expect(found[1].rows == 500)
      #expect(found[1].isEstimate)
      #expect(found[1].primaryKey == ["z", "x"])
      #expect(found[3].rows == nil)
    }
  }

  @Test func aTableOfAnotherSchemaHasItsSchema() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let other = try await Server.connect()
      let found = try await other.tables(cancellation: Cancellation())
      #expect(found.contains { $0.name == TableName("t", schema: server.schema) })
      #expect(!found.contains { $0.name.schema?.hasPrefix("pg_") == true })
      let schema = try await other.schema(
        of: TableName("t", schema: server.schema), cancellation: Cancellation())
      #expect(schema.columns.map(\.name) == ["a"])
      await other.close()
    }
  }

  @Test func columnsHaveTypesAndKinds() async throws {
    try await Server.run { server in
      try await server.execute("CREATE DOMAIN age AS int NOT NULL")
      try await server.execute("CREATE DOMAIN old AS age")
      try await server.execute("CREATE TYPE mood AS ENUM ('sad')")
      try await server.execute(
        """
        CREATE TABLE t (id serial PRIMARY KEY, name varchar(20) NOT NULL, price numeric(10, 2),
          at timestamp(3), zoned timestamptz, day date, tags text[], extra jsonb, raw bytea,
          old old, mood mood, code char(3), ok bool, ratio float4, gone int,
          sum int GENERATED ALWAYS AS (gone + 1) STORED)
        """)
      let schema = try await schema("t", server)
      let types = schema.columns.map { "\($0.name) \($0.declaredType) \($0.kind) \($0.isNullable)" }
      #expect(
        types == [
          "id integer integer false", "name character varying(20) text false",
          "price numeric(10,2) decimal true",
          "at timestamp(3) without time zone dateTime true",
          "zoned timestamp with time zone instant true", "day date date true",
          "tags text[] other true", "extra jsonb json true", "raw bytea data true",
          "old old integer false", "mood mood other true", "code character(3) text true",
          "ok boolean bool true", "ratio real real true", "gone integer integer true",
          "sum integer integer true",
        ])
      #expect(schema.primaryKey == ["id"])
      #expect(schema.rowIdentity.map { $0.text { _, _ in "" } } == ["\"id\""])
      try await server.execute("ALTER TABLE t DROP sum, DROP gone")
      #expect(try await self.schema("t", server).columns.count == 14)
    }
  }

  @Test(arguments: [
    ("CREATE TABLE t (a int)", ["ctid"]), ("CREATE VIEW t AS SELECT 1 AS a", []),
    ("CREATE MATERIALIZED VIEW t AS SELECT 1 AS a", ["ctid"]),
    ("CREATE TABLE t (a int) PARTITION BY RANGE (a)", ["tableoid", "ctid"]),
    (
      "CREATE TABLE t (a int, \"B \"\"x\" int, PRIMARY KEY (\"B \"\"x\", a))",
      ["\"B \"\"x\"", "\"a\""]
    ),
  ])
  func rowsHaveAnIdentity(statement: String, identity: [String]) async throws {
    try await Server.run { server in
      try await server.execute(SQL(statement))
      let schema = try await schema("t", server)
      #expect(schema.rowIdentity.map { $0.text { _, _ in "" } } == identity)
    }
  }

  @Test func rowsOfAnotherServerHaveNoIdentity() async throws {
    try await Server.run { server in
      let remote = server.schema + "_remote"
      try await server.execute("CREATE TABLE t (a int) PARTITION BY RANGE (a)")
      for statement in [
        "CREATE FOREIGN DATA WRAPPER \(remote)",
        "CREATE SERVER \(remote) FOREIGN DATA WRAPPER \(remote)",
        "CREATE FOREIGN TABLE part PARTITION OF t FOR VALUES FROM (0) TO (9) SERVER \(remote)",
      ] { try await server.execute(SQL(statement)) }
      for name in ["t", "part"] { #expect(try await schema(name, server).rowIdentity.isEmpty) }
      try await server.execute(SQL("DROP FOREIGN DATA WRAPPER \(remote) CASCADE" as String))
    }
  }

  /// The token of the database is the same before and after such a change.
  @Test func factsOfAViewAreNotKept() async throws {
    try await Server.run { server in
      try await server.execute(
        """
        CREATE VIEW v AS SELECT CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_locks
          WHERE locktype = 'advisory' AND objid = 51977) THEN 'é' ELSE 'e' END AS a
        """)
      let view = try await schema("v", server)
      func isASCII() async throws -> Bool? {
        let snapshot = try await server.snapshot("v")
        return try await server.connection.facts(
          of: view.columns, in: view, on: snapshot, cancellation: Cancellation()
        ).first?.isASCII
      }
      #expect(try await isASCII() == true)
      let other = try await server.other()
      try await other.execute("SELECT pg_advisory_lock(51977)", cancellation: Cancellation())
      #expect(try await isASCII() == false)
      await other.close()
    }
  }

  @Test func theKeyOfAParentDoesNotIdentifyTheRowsOfItsChildren() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int PRIMARY KEY)")
      try await server.execute("CREATE TABLE u () INHERITS (t)")
      let schema = try await schema("t", server)
      #expect(schema.rowIdentity.map { $0.text { _, _ in "" } } == ["tableoid", "ctid"])
    }
  }

  @Test func anotherCollationIsNotText() async throws {
    try await Server.run { server in
      try await server.execute(
        "CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
      )
      try await server.execute("CREATE TABLE t (a text COLLATE folded, b text COLLATE \"C\")")
      #expect(try await schema("t", server).columns.map(\.kind) == [.other, .text])
    }
  }

  @Test(arguments: ["missing", "miss\"ing", "a.b", ""])
  func anUnknownTableIsReported(name: String) async throws {
    try await Server.run { server in
      let error = await #expect(throws: DatabaseError.self) {
        _ = try await schema(name, server)
      }
      #expect(error?.kind == .unknownTable(name))
    }
  }

  @Test func aSequenceIsNotATable() async throws {
    try await Server.run { server in
      try await server.execute("CREATE SEQUENCE s")
      await #expect(throws: DatabaseError.self) { _ = try await schema("s", server) }
      #expect(try await tables(server).isEmpty)
    }
  }

  @Test func theEstimateOfAPartitionedTableIsThatOfItsParts() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int) PARTITION BY RANGE (a)")
      try await server.execute("CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (10)")
      try await server.execute("CREATE TABLE t2 PARTITION OF t FOR VALUES FROM (10) TO (20)")
      try await server.execute("INSERT INTO t SELECT i % 20 FROM generate_series(0, 99) i")
      #expect(try await tables(server).first?.rows == nil)
      try await server.execute("ANALYZE t1")
      try await server.execute("ANALYZE t2")
      #expect(try await tables(server).first?.rows == 100)
    }
  }
}
