import DataTables
import Databases
import Foundation
import Testing

@testable import ClickHouseDatabase

/// Servers of their own, because these tests end some of them.
struct PrivateCluster {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts/servers")
  static let isAvailable =
    TestCluster.isAvailable && FileManager.default.isExecutableFile(atPath: script.path)

  private let folder: String
  /// The addresses of the shards: `127.0.0.1:8123`.
  private(set) var hosts: [String] = []
  /// The same for the protocol between shards.
  private(set) var shards: [String] = []

  static func run(_ body: (PrivateCluster) async throws -> Void) async throws {
    var cluster = PrivateCluster(
      folder: "/tmp/dsshell-fault-" + String(UInt64.random(in: .min ... .max), radix: 36))
    let variables = try cluster.call("start", "clickhouse")
    func list(_ name: String) -> [String] {
      let line = variables.split(separator: "\n").first { $0.hasPrefix("export \(name)=") }
      let value = line?.split(separator: "=", maxSplits: 1).last?.replacing("\\", with: "") ?? ""
      return value.split(separator: ",").map { String($0) }
    }
    cluster.hosts = list("DSSHELL_TEST_CLICKHOUSE_SHARDS")
    cluster.shards = list("DSSHELL_TEST_CLICKHOUSE_NATIVE")
    defer { _ = try? cluster.call("stop") }
    guard cluster.hosts.count == 3, cluster.shards.count == 3 else { throw TestFailure() }
    try await body(cluster)
  }

  @discardableResult
  func call(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = Self.script
    process.arguments = arguments
    process.environment = TestCluster.variables.merging(["DSSHELL_SERVERS": folder]) { $1 }
    process.environment?["DSSHELL_SERVERS_PORT"] = nil
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite(.enabled(if: PrivateCluster.isAvailable), .serialized) struct ShardFaultTests {
  /// A table of 30,000 rows over three shards.
  private func table(
    in cluster: PrivateCluster, settings: String = ""
  ) async throws -> ClickHouseConnection {
    for host in cluster.hosts {
      let shard = try await TestCluster.open("clickhouse://\(host)", isWritable: true)
      try await shard.execute(
        "CREATE TABLE t_local (id UInt64, s String) ENGINE = MergeTree ORDER BY id",
        cancellation: Cancellation())
    }
    let connection = try await TestCluster.open(
      "clickhouse://\(cluster.hosts[0])\(settings)", isWritable: true)
    try await connection.execute(
      "CREATE TABLE t AS t_local ENGINE = Distributed(shards, default, t_local, id)",
      cancellation: Cancellation())
    try await connection.execute(
      "INSERT INTO t SELECT number, 'x' FROM numbers(30000)", cancellation: Cancellation())
    return connection
  }

  @Test func aDeadShardIsNamed() async throws {
    try await PrivateCluster.run { cluster in
      let connection = try await table(in: cluster)
      let snapshot = try await connection.snapshot(
        of: [TableName("t")], cancellation: Cancellation())
      try cluster.call("kill", "shard2")
      let message = "the shard \(cluster.shards[1]) does not answer: connection refused"
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
      try cluster.call("start", "shard2")
      #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
      let rows = try await snapshot.rows("SELECT count() FROM t", cancellation: Cancellation())
      #expect(rows.rows.first?.first?.json == "30000")
    }
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
    try await PrivateCluster.run { cluster in
      // The reads of each shard take several seconds.
      let connection = try await table(in: cluster, settings: "/?max_block_size=10")
      for isStream in [false, true] {
        let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
        let statement: SQL = "SELECT id, s FROM t WHERE sleepEachRow(0.001) = 0"
        async let kill: Void = {
          try await Task.sleep(for: .seconds(1))
          try cluster.call("kill", "shard2")
        }()
        let error = try await failure {
          if isStream {
            try await snapshot.forEachBatch(
              of: 100, statement, cancellation: Cancellation()
            ) { _ in true }
          } else {
            _ = try await snapshot.rows(statement, cancellation: Cancellation())
          }
        }
        try await kill
        #expect(
          error?.kind == .connection, "\(isStream): \(error?.code ?? "") \(error?.message ?? "")")
        #expect(error?.message.contains(cluster.shards[1]) == true, "\(error?.message ?? "")")
        try cluster.call("start", "shard2")
      }
    }
  }

  @Test func aCanceledDistributedQueryEndsOnAllShards() async throws {
    try await PrivateCluster.run { cluster in
      let connection = try await table(in: cluster, settings: "/?max_block_size=10")
      let cancellation = Cancellation()
      let work = Task {
        try await connection.rows(
          "SELECT id FROM t WHERE sleepEachRow(0.001) = 0", cancellation: cancellation)
      }
      try await Task.sleep(for: .seconds(1))
      func running() async throws -> [Int] {
        var counts: [Int] = []
        for host in cluster.hosts {
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
  }

  @Test func aServerThatDiesBetweenTwoPagesIsAnError() async throws {
    try await PrivateCluster.run { cluster in
      let connection = try await table(in: cluster)
      let snapshot = try await connection.snapshot(
        of: [TableName("t")], cancellation: Cancellation())
      try cluster.call("kill", "shard1")
      let error = try await failure {
        _ = try await snapshot.rows("SELECT 1", cancellation: Cancellation())
      }
      #expect(error?.kind == .connection)
      #expect(error?.message.hasPrefix("could not connect to \(cluster.hosts[0]): ") == true)
    }
  }
}
