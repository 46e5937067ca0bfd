import DSInterpreter
import DataSources
import DataTables
import TestSupport
import Testing

/// Faults of clusters of ClickHouse, as commands report them.
@Suite(.requires(.clickhouse), .serialized) struct ClickHouseFaultTests {
  private var server: TestDatabases { .running }
  private var host: String { server.shards.first ?? "" }

  /// A name for a table of one test.
  private static var table: String { "test_\(UInt64.random(in: .min ... .max))" }

  @Test func aConnectionThatFailsSaysWhy() async throws {
    var shell = ServerShell()
    var lines = try await shell.run("let ch = open clickhouse://127.0.0.1:1/default")
    #expect(
      lines.first?.hasPrefix(
        "error: clickhouse://127.0.0.1:1/default: could not connect to 127.0.0.1:1") == true,
      "\(lines)")
    lines = try await shell.run("let ch = open clickhouse://\(host)/defualt")
    #expect(
      lines.first?.hasSuffix("(81); did you mean `default`?") == true, "\(lines)")
    #expect(try await shell.failure("open clickhouse://\(host)/defualt") == .unknownName)
    // The word of the message that equals the password stays: replacing it would reveal it.
    lines = try await shell.run(
      "let ch = open clickhouse://\(server.user)@\(host)/default password: wrong")
    #expect(
      lines.first?.hasSuffix("wrong password for user \(server.user) (193)") == true, "\(lines)")
  }

  @Test func aMistakeInAStatementHasItsPlaceAndAHint() async throws {
    let name = Self.table
    var shell = ServerShell()
    try await shell.run(
      """
      let ch = open clickhouse://\(host)/default write: true
      exec ch "CREATE TABLE \(name) (id Int32, name String) ENGINE = MergeTree ORDER BY (id, name)"
      """)
    var lines = try await shell.run("query ch \"SELECT * FROM \(name)s\"")
    #expect(
      lines.first
        == "error: table default.\(name)s doesn't exist (60); did you mean `\(name)`?", "\(lines)")
    lines = try await shell.run("query ch \"SELECT nmae FROM \(name)\"")
    #expect(lines.first?.hasSuffix("(47); did you mean `name`?") == true, "\(lines)")
    lines = try await shell.run(#"query ch "SELEC 1""#)
    #expect(lines.dropFirst() == ["  SELEC 1", "  ^"], "\(lines)")
    #expect(try await shell.failure(#"query ch "SELECT 1; SELECT 2""#) == .database)
    #expect(try await shell.failure("query ch \"DROP TABLE \(name)\"") == .denied)
    lines = try await shell.run("tables ch")
    #expect(lines.contains { $0.hasPrefix(name) && $0.hasSuffix("id, name") }, "\(lines)")
    var reader = ServerShell()
    lines = try await reader.run(
      "let ch = open clickhouse://\(host)/default; exec ch \"DROP TABLE \(name)\"")
    #expect(
      lines.last == "error: the database is open for reading only; open it with `write: true`")
    lines = try await shell.run("describe ch.\(name)")
    #expect(lines.dropFirst().allSatisfy { $0.contains("null   null") }, "\(lines)")
    try await shell.run("exec ch \"DROP TABLE \(name)\"")
  }

  @Test func namesAndValuesAreKept() async throws {
    var shell = ServerShell()
    let suffix = Self.table
    let name = #"ch."it's \"a\" `\#(suffix)`""#
    let lines = try await shell.run(
      """
      let ch = open clickhouse://\(host)/default write: true
      save (simple [{"it's \\"a\\" `name`": "x\\u0000y", n: 1}]) \(name)
      filtered \(name) where: SELF."it's \\"a\\" `name`" == "x\\u0000y" | fetch | objects
      exec ch "DROP TABLE `it's \\"a\\" \\\\`\(suffix)\\\\``"
      """)
    #expect(
      lines.dropFirst(2).prefix(2) == [#"it's "a" `name`  n"#, #"x\0y             1"#], "\(lines)")
    #expect(lines.last?.hasPrefix("ch: ") == true, "\(lines)")
  }

  @Test func aChangeBetweenSectionsAndAPageIsReported() async throws {
    let name = Self.table
    var shell = ServerShell()
    try await shell.run(
      """
      let ch = open clickhouse://\(host)/default write: true
      exec ch "CREATE TABLE \(name) (id Int32, city String) ENGINE = MergeTree ORDER BY id"
      exec ch "INSERT INTO \(name) SELECT number, concat('city ', toString(number % 3)) FROM numbers(1000)"
      let cities = fetchedResults ch.\(name) sort: city, id section: city | fetch
      exec ch "INSERT INTO \(name) VALUES (5000, 'new')"
      """)
    #expect(try await shell.failure("object cities [0, 7]") == .changed)
    #expect(try await shell.failure("show cities") == .changed)
    #expect(
      try await shell.run("print cities.numberOfObjects; fetch cities")
        == ["1000", "cities: 4 sections, 1,001 objects"])
    try await shell.run("exec ch \"ALTER TABLE \(name) DROP COLUMN city\"")
    #expect(try await shell.failure("object cities [0, 7]") == .changed)
    #expect(
      try await shell.run("fetch cities; print cities.numberOfObjects")
        == ["error: ch.\(name) has no key `city`", "1001"])
    try await shell.run("exec ch \"DROP TABLE \(name)\"")
  }

  /// A distributed table of 30,000 rows on servers of the test.
  private func distributed(on cluster: OwnServers, settings: String = "") async throws
    -> ServerShell
  {
    var shell = ServerShell()
    for (number, host) in cluster.databases.shards.enumerated() {
      try await shell.run(
        """
        let s\(number) = open clickhouse://\(host)/default write: true
        exec s\(number) "CREATE TABLE local (id Int32, city String) ENGINE = MergeTree ORDER BY id"
        """)
    }
    try await shell.run(
      """
      let ch = open clickhouse://\(cluster.databases.shards[0])/default\(settings) write: true
      exec ch "CREATE TABLE people AS local ENGINE = Distributed(shards, default, local, id)"
      exec ch "INSERT INTO people SELECT number, concat('city ', toString(number % 3)) FROM numbers(30000)"
      """)
    return shell
  }

  @Test func aDeadShardIsNamedAndNeverFewerRows() async throws {
    let cluster = try OwnServers("clickhouse")
    var shell = try await distributed(on: cluster)
    try await shell.run(
      "let cities = fetchedResults ch.people sort: city, id section: city | fetch")
    try cluster.kill("shard2")
    let shard = cluster.databases.nativeShards[1]
    for command in ["object cities [1, 17]", "show cities", "fetch cities", "count ch.people"] {
      let lines = try await shell.run(command)
      // The count of the opened table is known.
      if command == "count ch.people", lines == ["30000"] { continue }
      #expect(
        lines.last?.contains("the shard \(shard) does not answer: connection refused") == true,
        "\(command): \(lines)")
    }
    #expect(try await shell.run("print cities.numberOfObjects") == ["30000"])
    try cluster.start("shard2")
    #expect(try await shell.run("object cities [1, 0]") == ["id: 1", "city: city 1"])
  }

  @Test func aServerThatDiesBetweenTwoPagesIsReported() async throws {
    let cluster = try OwnServers("clickhouse")
    var shell = try await distributed(on: cluster)
    try await shell.run(
      "let cities = fetchedResults ch.people sort: city, id section: city batch: 10 | fetch")
    #expect(try await shell.run("object cities [1, 0]") == ["id: 1", "city: city 1"])
    try cluster.kill("shard1")
    for command in ["object cities [1, 500]", "fetch cities"] {
      let lines = try await shell.run(command)
      #expect(lines.first?.contains("could not connect to ") == true, "\(lines)")
      #expect(try await shell.failure(command) == .database)
    }
    #expect(try await shell.run("print cities.numberOfObjects") == ["30000"])
    try cluster.start("shard1")
    #expect(try await shell.run("object cities [1, 500]") == ["id: 1501", "city: city 1"])
  }

  @Test func aShardThatDiesDuringAStatementIsNamed() async throws {
    let cluster = try OwnServers("clickhouse")
    var shell = try await distributed(on: cluster, settings: "?max_block_size=10")
    let killing = ShardKilling(cluster, "shard3", after: .seconds(1))
    let lines = try await shell.run(
      #"query ch "SELECT id FROM people WHERE sleepEachRow(0.001) = 0" | count"#)
    try await killing.wait()
    #expect(lines.count == 1 && lines[0].hasPrefix("error: "), "\(lines)")
    #expect(lines.first?.contains(cluster.databases.nativeShards[2]) == true, "\(lines)")
  }

  @Test func aTableThatAShardLacksIsReportedWithTheShard() async throws {
    let cluster = try OwnServers("clickhouse")
    var shell = try await distributed(on: cluster)
    try await shell.run(#"exec s1 "DROP TABLE local""#)
    let lines = try await shell.run("count ch.people")
    #expect(
      lines == [
        "error: the shard \(cluster.databases.nativeShards[1]) has no table default.local (279)"
      ])
  }

  @Test func controlCEndsAPageOnTheServer() async throws {
    let name = Self.table
    var shell = ServerShell()
    try await shell.run(
      """
      let ch = open clickhouse://\(host)/default?max_block_size=1 write: true
      exec ch "CREATE VIEW \(name) AS SELECT number AS n, sleepEachRow(0.03) AS s FROM numbers(100)"
      let v = ch.\(name)
      """)
    for command in ["show v", "object v [0, 7]"] {
      let cancellation = shell.cancellation
      let interruption = Task {
        try await Task.sleep(for: .milliseconds(700))
        cancellation.cancel()
      }
      let start = ContinuousClock.now
      #expect(try await shell.failure(command) == .cancelled, "\(command)")
      #expect(ContinuousClock.now - start < .seconds(10))
      _ = try await interruption.value
      cancellation.reset()
    }
    let running = try await shell.run(
      "query ch \"SELECT query FROM system.processes WHERE query LIKE '%\(name)%' AND query NOT LIKE '%processes%'\" | count"
    )
    #expect(running == ["0"])
    try await shell.run("exec ch \"DROP TABLE \(name)\"")
  }

  @Test func aStatementThatTakesTooLongIsEnded() async throws {
    var shell = ServerShell()
    try await shell.run("let ch = open clickhouse://\(host)/default?max_block_size=1 timeout: 1")
    #expect(
      try await shell.failure(
        #"query ch "SELECT sum(sleepEachRow(0.1)) FROM numbers(1000)""#) == .timeout)
  }
}

/// Ends a shard while a statement runs.
private struct ShardKilling {
  private let task: Task<Void, any Error>

  init(_ cluster: OwnServers, _ shard: String, after delay: Duration) {
    // Nothing else uses the servers until the task has ended.
    nonisolated(unsafe) let cluster = cluster
    task = Task.detached {
      try await Task.sleep(for: delay)
      try cluster.kill(shard)
    }
  }

  func wait() async throws { try await task.value }
}
