import DataSources
import DataTables
import Databases
import TestSupport
import Testing

@testable import ClickHouseDatabase

@Suite(.requires(.clickhouse)) struct SnapshotTests {
  /// Statements that change the table `people`, or its rows on a shard.
  @Test(arguments: [
    "INSERT INTO people_local VALUES (1, 'x')", "ALTER TABLE people_local DROP PARTITION tuple()",
    "ALTER TABLE people_local DELETE WHERE id = 3",
    "ALTER TABLE people_local UPDATE name = 'z' WHERE 1",
    "ALTER TABLE people_local ADD COLUMN more Int8", "TRUNCATE TABLE people_local",
    "DROP TABLE people_local",
  ])
  func aChangeIsFound(statement: String) async throws {
    try await TestCluster.run { test in
      try await test.distribute("people", "id UInt64, name String", order: "id")
      try await test.run("INSERT INTO people SELECT number, 'x' FROM numbers(1000)")
      let snapshots = [
        try await test.connection.snapshot(of: [TableName("people")], cancellation: Cancellation()),
        try await test.shards[1].snapshot(
          of: [TableName("people_local")], cancellation: Cancellation()),
      ]
      for snapshot in snapshots {
        #expect(snapshot.token != nil)
        #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
      }
      let rows = try await snapshots[0].rows(
        "SELECT count() FROM people", cancellation: Cancellation())
      #expect(rows.rows.map { $0.map(\.exact) } == [["1000"]])
      try await test.shards[1].execute(SQL(statement), cancellation: Cancellation())
      for (snapshot, table) in zip(snapshots, ["people", "people_local"]) {
        // The definition on a shard is not part of a Distributed table.
        if statement.contains("ADD COLUMN"), table == "people" { continue }
        #expect(try await !snapshot.isCurrent(cancellation: Cancellation()))
        let error = try await failure {
          _ = try await snapshot.rows(
            "SELECT id, name FROM \(SQL(table)) LIMIT 100", cancellation: Cancellation())
        }
        #expect(error?.kind == .changed)
        let stream = try await failure {
          try await snapshot.forEachBatch(
            of: 10, "SELECT id, name FROM \(SQL(table))", cancellation: Cancellation()
          ) { _ in true }
        }
        #expect(stream?.kind == .changed)
      }
    }
  }

  @Test func aMergeIsNoChange() async throws {
    try await TestCluster.run { test in
      try await test.distribute("people", "id UInt64, name String", order: "id")
      for _ in 0..<4 {
        try await test.run("INSERT INTO people SELECT number, 'x' FROM numbers(100)")
      }
      let snapshot = try await test.connection.snapshot(
        of: [TableName("people")], cancellation: Cancellation())
      for shard in test.shards {
        try await shard.execute("OPTIMIZE TABLE people_local FINAL", cancellation: Cancellation())
      }
      #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
    }
  }

  @Test func otherTablesDoNotMatter() async throws {
    try await TestCluster.run { test in
      try await test.distribute("people", "id UInt64, name String", order: "id")
      try await test.distribute("pets", "id UInt64, name String", order: "id")
      let snapshot = try await test.connection.snapshot(
        of: [TableName("people")], cancellation: Cancellation())
      try await test.run("INSERT INTO pets VALUES (1, 'x')")
      #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
    }
  }

  @Test(arguments: ["Memory", "Log", "TinyLog"])
  func tablesWithoutPartsAndViewsAreCounted(engine: String) async throws {
    try await TestCluster.run { test in
      try await test.run("CREATE TABLE `a b` (id Int64) ENGINE = \(SQL(engine))")
      try await test.run("CREATE VIEW v AS SELECT * FROM \(SQL(test.database)).`a b`")
      try await test.run("INSERT INTO `a b` VALUES (1)")
      for name in ["a b", "v"] {
        let snapshot = try await test.connection.snapshot(
          of: [TableName(name)], cancellation: Cancellation())
        #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
        try await test.run("INSERT INTO `a b` VALUES (2)")
        #expect(try await !snapshot.isCurrent(cancellation: Cancellation()))
      }
    }
  }

  @Test func anUnknownTableHasNoSnapshot() async throws {
    try await TestCluster.run { test in
      let error = try await failure {
        _ = try await test.connection.snapshot(
          of: [TableName("nope")], cancellation: Cancellation())
      }
      #expect(error?.kind == .unknownTable("nope"))
    }
  }
}
