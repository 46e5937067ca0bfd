import DataSources
import DataTables
import Databases
import TestSupport
import Testing

@testable import ClickHouseDatabase

@Suite(.requires(.clickhouse)) struct TableTests {
  @Test func tablesHaveTheirRows() async throws {
    try await TestCluster.run { test in
      try await test.distribute("people", "id UInt64, name String", order: "id")
      try await test.run("CREATE TABLE `order items\\`'` (a Int8) ENGINE = Memory")
      try await test.run("CREATE VIEW adults AS SELECT * FROM people_local")
      try await test.run("INSERT INTO people SELECT number, 'x' FROM numbers(1000)")
      let tables = try await test.connection.tables(cancellation: Cancellation())
        .filter { $0.name.schema == nil }
      #expect(tables.map(\.name.name) == ["adults", "order items`'", "people", "people_local"])
      #expect(tables.map(\.isView) == [true, false, false, false])
      #expect(tables[2].rows == 1000)
      #expect(tables.allSatisfy { $0.primaryKey.isEmpty })
      #expect(try #require(tables[3].rows) < 1000)
      let other = try await TestCluster.open(TestCluster.address())
        .tables(cancellation: Cancellation())
      #expect(other.contains { $0.name == TableName("people", schema: test.database) })
      #expect(!other.contains { $0.name.schema == "system" })
    }
  }

  @Test func aSchemaHasColumnsAndTheSortingKey() async throws {
    try await TestCluster.run { test in
      try await test.distribute(
        "people",
        "id UInt64, name Nullable(String), `odd \\`name` Date, at DateTime('Europe/Paris'), "
          + "price Decimal(10, 2), kind Enum8('a' = 1), half Float32, tags Array(String), "
          + "copy String DEFAULT 'x'", order: "(id, lower(copy))")
      for name in ["people", "people_local"] {
        let schema = try await test.connection.schema(
          of: TableName(name), cancellation: Cancellation())
        #expect(
          schema.columns.map { "\($0.name) \($0.kind) \($0.isNullable)" } == [
            "id integer false", "name text true", "odd `name date false", "at instant false",
            "price decimal false", "kind other false", "half real false", "tags other false",
            "copy text false",
          ])
        #expect(schema.columns[3].declaredType == "DateTime('Europe/Paris')")
        #expect(schema.sortingKey.map { $0.text { _, _ in "" } } == ["id", "lower(copy)"])
        #expect(schema.rowIdentity.isEmpty)
      }
      let error = try await failure {
        _ = try await test.connection.schema(of: TableName("peopel"), cancellation: Cancellation())
      }
      #expect(error?.kind == .unknownTable("peopel"))
    }
  }
}
