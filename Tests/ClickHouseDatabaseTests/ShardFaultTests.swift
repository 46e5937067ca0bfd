import DataSources
import DataTables
import Databases
import TestSupport
import Testing

@testable import ClickHouseDatabase

/// These tests end servers, so they have some of their own.
@Suite(.requires(.clickhouse), .serialized) struct ShardFaultTests {
  /// A table of 30,000 rows over three shards.
  private func table(
    in cluster: OwnServers, settings: String = ""
  ) async throws -> ClickHouseConnection {
    for host in cluster.databases.shards {
      let shard = try await TestCluster.open("clickhouse://\(host)", isWritable: true)
      try await shard.execute(
        "CREATE TABLE t_local (id UInt64, s String) ENGINE = MergeTree ORDER BY id",
        cancellation: Cancellation())
    }
    let connection = try await TestCluster.open(
      "clickhouse://\(cluster.databases.shards[0])\(settings)", isWritable: true)
    try await connection.execute(
      "CREATE TABLE t AS t_local ENGINE = Distributed(shards, default, t_local, id)",
      cancellation: Cancellation())
    try await connection.execute(
      "INSERT INTO t SELECT number, 'x' FROM numbers(30000)", cancellation: Cancellation())
    return connection
  }

  @Test func aDeadShardIsNamed() async throws {
    let cluster = try OwnServers("clickhouse")
    let connection = try await table(in: cluster)
    let snapshot = try await connection.snapshot(
      of: [TableName("t")], cancellation: Cancellation())
    try cluster.kill("shard2")
    let message =
      "the shard \(cluster.databases.nativeShards[1]) does not answer: connection refused"
    for statement in ["SELECT count() FROM t", "SELECT id, s FROM t ORDER BY id LIMIT 100"] {
      let error = try await failure {
        _ = try await snapshot.rows(SQL(statement), cancellation: Cancellation())
      }
      #expect(error?.kind == .connection)
      #expect(error?.message == message)
    }
    let stream = try await failure {
      try await snapshot.forEachBatch(
        of: 100, "SELECT id, s FROM t", cancellation: Cancellation()
      ) { _ in true }
    }
    #expect(stream?.message == message)
    let tables = try await connection.tables(cancellation: Cancellation())
    #expect(tables.map(\.name.name) == ["t", "t_local"])
    #expect(tables.first?.rows == nil)
    let columns = ["id", "s"].map { DatabaseColumn(name: $0, declaredType: "", kind: .any) }
    let insert = try await failure {
      try await connection.insert(
        into: TableName("t"), columns: columns, cancellation: Cancellation(), rows: Self.rows())
    }
    #expect(insert?.kind == .connection)
    try cluster.start("shard2")
    #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
    let rows = try await snapshot.rows("SELECT count() FROM t", cancellation: Cancellation())
    #expect(rows.rows.first?.first?.json == "30000")
  }

  /// More rows than one statement inserts.
  private static func rows() -> @Sendable () async throws -> [[Value]] {
    let batch: [[Value]] = (0..<1000).map {
      [.integer($0), .string(String(repeating: "x", count: 9000))]
    }
    let left = Cancellation()
    return {
      if left.isCancelled { return [] }
      left.cancel()
      return batch
    }
  }

  @Test func aShardThatDiesInTheMiddleIsAnError() async throws {
    let cluster = try OwnServers("clickhouse")
    // The reads of each shard take several seconds.
    let connection = try await table(in: cluster, settings: "/?max_block_size=10")
    for isStream in [false, true] {
      let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
      let statement: SQL = "SELECT id, s FROM t WHERE sleepEachRow(0.001) = 0"
      let read = Task {
        try await failure {
          if isStream {
            try await snapshot.forEachBatch(
              of: 100, statement, cancellation: Cancellation()
            ) { _ in true }
          } else {
            _ = try await snapshot.rows(statement, cancellation: Cancellation())
          }
        }
      }
      try await Task.sleep(for: .seconds(1))
      try cluster.kill("shard2")
      let error = try await read.value
      #expect(
        error?.kind == .connection, "\(isStream): \(error?.code ?? "") \(error?.message ?? "")")
      #expect(
        error?.message.contains(cluster.databases.nativeShards[1]) == true,
        "\(error?.message ?? "")")
      try cluster.start("shard2")
    }
  }

  @Test func aCanceledDistributedQueryEndsOnAllShards() async throws {
    let cluster = try OwnServers("clickhouse")
    let connection = try await table(in: cluster, settings: "/?max_block_size=10")
    let cancellation = Cancellation()
    let work = Task {
      try await connection.rows(
        "SELECT id FROM t WHERE sleepEachRow(0.001) = 0", cancellation: cancellation)
    }
    try await Task.sleep(for: .seconds(1))
    func running() async throws -> [Int] {
      var counts: [Int] = []
      for host in cluster.databases.shards {
        let shard = try await TestCluster.open("clickhouse://\(host)")
        counts.append(
          try await shard.rows(
            "SELECT query FROM system.processes WHERE query NOT LIKE '%processes%'",
            cancellation: Cancellation()
          ).rows.count)
      }
      return counts
    }
    #expect(try await running().allSatisfy { $0 > 0 })
    cancellation.cancel()
    await #expect(throws: TableError.cancelled) { _ = try await work.value }
    #expect(try await running() == [0, 0, 0])
  }

  @Test func aServerThatDiesBetweenTwoPagesIsAnError() async throws {
    let cluster = try OwnServers("clickhouse")
    let connection = try await table(in: cluster)
    let snapshot = try await connection.snapshot(
      of: [TableName("t")], cancellation: Cancellation())
    try cluster.kill("shard1")
    let error = try await failure {
      _ = try await snapshot.rows("SELECT 1", cancellation: Cancellation())
    }
    #expect(error?.kind == .connection)
    // It could not be reached, or the end of a connection that was kept was seen first.
    let message = error?.message ?? ""
    let shard = cluster.databases.shards[0]
    #expect(
      message.hasPrefix("could not connect to \(shard): ")
        || message.hasPrefix("the connection to \(shard) broke "), "\(message)")
  }
}
