import DataSources
import DataTables
import Databases
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLDatabase

@Suite(.requires(.postgres)) struct WritingTests {
  private func column(
    _ name: String, _ type: String, _ kind: DatabaseColumn.Kind = .text
  ) -> DatabaseColumn {
    DatabaseColumn(name: name, declaredType: type, kind: kind)
  }

  /// Inserts rows in one batch.
  private func insert(
    _ rows: [[Value]], _ columns: [DatabaseColumn], _ server: Server, table: String = "t"
  ) async throws {
    let rest = Mutex(rows)
    try await server.connection.insert(
      into: TableName(table), columns: columns, cancellation: Cancellation()
    ) {
      rest.withLock { rows in
        defer { rows = [] }
        return rows
      }
    }
  }

  @Test func executeReturnsTheChangedRows() async throws {
    try await Server.run { server in
      let created = try await server.execute("CREATE TABLE t (a int)")
      #expect(created == 0)
      #expect(try await server.execute("INSERT INTO t SELECT generate_series(1, 10)") == 10)
      #expect(try await server.execute("UPDATE t SET a = 0 WHERE a > \(value: 7)") == 3)
      #expect(try await server.execute("DELETE FROM t WHERE a = \(value: 0)") == 3)
      #expect(try await server.execute("SELECT * FROM t") == 0)
      #expect(try await server.execute("CREATE TABLE u AS SELECT * FROM t") == 0)
    }
  }

  @Test func aTransactionOfAUserIsRolledBack() async throws {
    try await Server.run { server in
      await #expect(throws: DatabaseError.self) { try await server.execute("BEGIN") }
      try await server.execute("CREATE TABLE t (a int)")
      #expect(try await server.value("SELECT count(*) FROM t").json == "0")
    }
  }

  @Test func insertedRowsAreReadBack() async throws {
    try await Server.run { server in
      try await server.execute(
        """
        CREATE TABLE t ("my text" text, i int8, n numeric, f float8, b bool, d date,
          z timestamptz, x bytea, j jsonb, l text[])
        """)
      let rows: [[Value]] = [
        [
          "tab\t, line\n, return\r, back\\slash, \\N, \"quotes\" 'x' 👍🏽", 1,
          Value(literal: "1.50"), Value(literal: "1e300"), true, Value(literal: "2024-01-31"),
          Value(literal: "2024-01-31T10:00:00Z"), .data([0, 9, 10, 92, 255]),
          ["a": ["x\ty\\", nil]], ["a\"b\\", nil, "NULL", "", "é"],
        ],
        ["", nil, .real(Real(.nan)), .real(Real(.infinity)), nil, nil, nil, .data([]), [1], []],
        ["\\.", nil, nil, nil, false, nil, nil, nil, nil, nil],
      ]
      let columns = [
        column("my text", "text"), column("i", "bigint"), column("n", "numeric"),
        column("f", "double precision"), column("b", "boolean"), column("d", "date"),
        column("z", "timestamp with time zone"), column("x", "bytea"), column("j", "jsonb"),
        column("l", "text[]"),
      ]
      try await insert(rows, columns, server)
      let found = try await server.rows("SELECT * FROM t")
      #expect(
        found.map { Value.array($0).json.replacing("1e+300", with: "1e300") }
          == rows.map { Value.array($0).json })
    }
  }

  @Test func aTableIsCreatedWithItsRows() async throws {
    try await Server.run { server in
      let connection = try #require(server.connection as? PostgreSQLConnection)
      let kinds: [(String, DatabaseColumn.Kind, Value)] = [
        ("bool", .bool, true), ("i", .integer, .integer(.max)), ("r", .real, .real(Real(0.1))),
        ("d", .decimal, Value(literal: "1.50")), ("t", .text, "x"),
        ("day", .date, Value(literal: "2024-01-31")),
        ("local", .dateTime, Value(literal: "2024-01-31T10:00:00")),
        ("at", .instant, Value(literal: "2024-01-31T10:00:00Z")), ("x", .data, .data([1, 2])),
        ("j", .json, ["a": 1]), ("any \" thing", .any, "text"), ("o", .other, "x"),
      ]
      let columns = kinds.map { DatabaseColumn(name: $0.0, declaredType: "", kind: $0.1) }
      func create(isReplacing: Bool) async throws {
        let rest = Mutex([kinds.map(\.2), kinds.map { _ in nil }])
        try await connection.create(
          TableName("made"), columns: columns, isReplacing: isReplacing,
          cancellation: Cancellation()
        ) {
          rest.withLock { rows in
            defer { rows = [] }
            return rows
          }
        }
      }
      for isReplacing in [false, true] {
        try await create(isReplacing: isReplacing)
        let found = try await server.rows("SELECT * FROM made")
        #expect(found.map { $0.map(\.json) } == [kinds.map(\.2.json), kinds.map { _ in "null" }])
      }
      let error = await #expect(throws: DatabaseError.self) {
        try await create(isReplacing: false)
      }
      #expect(error?.kind == .exists("made"))
      #expect(try await server.value("SELECT count(*) FROM made").json == "2")
    }
  }

  @Test func manyBatchesAreOneTransaction() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int, b text)")
      let other = try await server.other()
      let batch = Mutex(0)
      let seen = Mutex<[String]>([])
      try await server.connection.insert(
        into: TableName("t", schema: server.schema),
        columns: [column("a", "integer"), column("b", "text")], cancellation: Cancellation()
      ) {
        let number = batch.withLock { batch in
          batch += 1
          return batch
        }
        let snapshot = try await other.snapshot(of: [], cancellation: Cancellation())
        let count = try await snapshot.rows("SELECT count(*) FROM t")[0][0].json
        seen.withLock { $0.append(count) }
        return number > 10
          ? []
          : (0..<1_000).map { [.integer($0), .string(String(repeating: "é", count: 500))] }
      }
      #expect(Set(seen.withLock { $0 }) == ["0"])
      #expect(try await server.value("SELECT count(*) FROM t").json == "10000")
      await other.close()
    }
  }

  @Test func aFailedInsertChangesNothing() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int PRIMARY KEY)")
      let column = [column("a", "integer")]
      let duplicate = await #expect(throws: DatabaseError.self) {
        try await insert([[1], [2], [1]], column, server)
      }
      #expect(duplicate?.code == "23505")
      let type = await #expect(throws: DatabaseError.self) {
        try await insert([[1], ["x"]], column, server)
      }
      #expect(
        type?.message
          == #"invalid input syntax for type integer: "x"; in COPY t, line 2, column a: "x""#)
      let nul = await #expect(throws: DatabaseError.self) {
        try await insert([[1], ["a\0"]], column, server)
      }
      #expect(
        nul?.message
          == "`a` of row 1 contains the character NUL, which PostgreSQL cannot store")
      #expect(try await server.value("SELECT count(*) FROM t").json == "0")
    }
  }

  @Test func anErrorOfTheRowsChangesNothing() async throws {
    struct Failure: Error {}
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let batch = Mutex(0)
      await #expect(throws: Failure.self) {
        try await server.connection.insert(
          into: TableName("t"), columns: [column("a", "integer")], cancellation: Cancellation()
        ) {
          let number = batch.withLock { batch in
            batch += 1
            return batch
          }
          if number == 3 { throw Failure() }
          return [[1], [2]]
        }
      }
      #expect(try await server.value("SELECT count(*) FROM t").json == "0")
      try await insert([[7]], [column("a", "integer")], server)
      #expect(try await server.value("SELECT a FROM t").json == "7")
    }
  }

  @Test func aCanceledInsertChangesNothing() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let cancellation = Cancellation()
      await #expect(throws: TableError.cancelled) {
        try await server.connection.insert(
          into: TableName("t"), columns: [column("a", "integer")], cancellation: cancellation
        ) {
          cancellation.cancel()
          return [[1]]
        }
      }
      #expect(try await server.value("SELECT count(*) FROM t").json == "0")
    }
  }

  @Test func anUnknownTableOrColumnIsReported() async throws {
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (a int)")
      let table = await #expect(throws: DatabaseError.self) {
        try await insert([[1]], [column("a", "integer")], server, table: "missing")
      }
      #expect(table?.kind == .unknownTable("missing"))
      let unknown = await #expect(throws: DatabaseError.self) {
        try await insert([[1]], [column("wrong", "integer")], server)
      }
      #expect(unknown?.kind == .unknownColumn("wrong"))
    }
  }

  @Test func seededRowsRoundTrip() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    let pieces = [
      "a", "\\", "\t", "\n", "\r", "\"", "'", "{", "}", ",", "é", "e\u{301}", "👍🏽", "N", ".",
    ]
    var rows: [[Value]] = []
    for number in 0..<2_000 {
      func text() -> Value {
        if random.below(8) == 0 { return nil }
        return .string((0..<random.below(12)).map { _ in random.one(of: pieces) }.joined())
      }
      rows.append([.integer(number), text(), .array((0..<random.below(4)).map { _ in text() })])
    }
    let expected = rows
    try await Server.run { server in
      try await server.execute("CREATE TABLE t (i int, a text, b text[])")
      let columns = [column("i", "integer"), column("a", "text"), column("b", "text[]")]
      try await insert(expected, columns, server)
      let found = try await server.rows("SELECT * FROM t ORDER BY i")
      #expect(
        found.map { Value.array($0).json } == expected.map { Value.array($0).json }, "seed \(seed)")
    }
  }
}
