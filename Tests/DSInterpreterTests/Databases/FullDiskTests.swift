import DSInterpreter
import DataSources
import DataTables
import Foundation
import TestSupport
import Testing

/// Disks that fill up while rows are written: nothing is half written, and the session goes on.
@Suite(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a disk"), .serialized)
struct FullDiskTests {
  @Test(.requires(.postgres)) func aDiskOfPostgreSQLFillsUp() async throws {
    let servers = try OwnServers("postgres")
    let home = servers.databases.folder + "/postgres"
    let disk = try SmallDisk(home + "/small", megabytes: 4, ownedLike: home + "/data")
    defer {
      disk.remove()
      withExtendedLifetime(servers) {}
    }
    let address = try #require(servers.databases.postgres)
    var shell = ServerShell()
    try await shell.run(
      """
      let server = open \(address) write: true
      exec server "CREATE TABLESPACE small LOCATION '\(disk.path)'"
      let db = open \(address)?options=-cdefault_tablespace%3Dsmall write: true
      save (simple [{id: 1, text: old}]) db.kept
      let rows = query db "SELECT i AS id, repeat(md5(i::text), 20) AS text FROM generate_series(1, 40000) i"
      """)
    for command in [
      "save rows db.copies", "save rows db.kept overwrite: true",
      """
      exec db "INSERT INTO kept SELECT i, repeat(md5(i::text), 20) FROM generate_series(1, 40000) i"
      """,
    ] {
      let lines = try await shell.run(command)
      #expect(lines.first?.hasPrefix("error: could not ") == true, "\(lines)")
      #expect(lines.first?.contains("No space left on device") == true, "\(lines)")
      #expect(lines.first?.hasSuffix("(53100)") == true, "\(lines)")
      #expect(try await shell.failure(command) == .database)
    }
    // The table keeps the room of the rows that were rolled back, so the disk stays full.
    #expect(try await shell.run("print (query db \"SELECT id FROM kept\")[0, 0].id") == ["1"])
    try await shell.run("let db = open \(address) write: true")
    try await checkGoingOn(in: &shell)
  }

  @Test(.requires(.clickhouse)) func aDiskOfClickHouseFillsUp() async throws {
    let servers = try OwnServers("clickhouse")
    let home = servers.databases.folder + "/shard1"
    try servers.stop("shard1")
    let disk = try SmallDisk(home + "/data", megabytes: 10, ownedLike: home)
    defer {
      disk.remove()
      withExtendedLifetime(servers) {}
    }
    try servers.start("shard1")
    let random = "concat(hex(SHA256(toString(number))), hex(SHA256(toString(number + 1))))"
    var shell = ServerShell()
    try await shell.run(
      """
      let db = open \(try #require(servers.databases.clickhouse)) write: true
      save (simple [{id: 1, text: old}]) db.kept
      let other = open clickhouse://\(servers.databases.shards[1])/default
      let rows = query other "SELECT number AS id, \(random) AS text FROM numbers(200000)"
      """)
    for command in [
      "save rows db.copies", "save rows db.kept overwrite: true",
      "exec db \"INSERT INTO kept (id, text) SELECT number, \(random) FROM numbers(1000000)\"",
    ] {
      let lines = try await shell.run(command)
      #expect(lines.first?.hasPrefix("error: ") == true, "\(lines)")
      #expect(lines.first?.contains("space") == true, "\(lines)")
      #expect(try await shell.failure(command) == .database)
    }
    try await checkGoingOn(in: &shell)
  }

  @Test func aDiskOfSQLiteFillsUp() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/full-disk-" + UUID().uuidString
    let disk = try SmallDisk(folder, megabytes: 2)
    defer {
      disk.remove()
      rmdir(folder)
    }
    var shell = ServerShell()
    let numbers = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 40000)"
    try await shell.run(
      """
      let db = open \(disk.path)/db.sqlite write: true
      save (simple [{id: 1, text: old}]) db.kept
      let rows = query db "\(numbers) SELECT n AS id, 'the text of the row with the number ' || n AS text FROM c"
      """)
    let other = "\(disk.path)/other.sqlite"
    let isFull = "the disk is full (SQLITE_FULL)"
    for (command, message) in [
      ("save rows db.copies", isFull), ("save rows db.kept overwrite: true", isFull),
      ("save rows \(other)", "cannot write `\(other)`: \(isFull)"),
      (
        "exec db \"\(numbers) INSERT INTO kept SELECT n, 'the text of the row with the number ' || n FROM c\"",
        isFull
      ),
    ] {
      #expect(try await shell.run(command) == ["error: \(message)"])
      #expect(try await shell.failure(command) == .database)
    }
    #expect(!FileManager.default.fileExists(atPath: disk.path + "/other.sqlite"))
    try await checkGoingOn(in: &shell)
  }

  /// Checks that `db` has only the table `kept`, with its row, and takes further rows.
  private func checkGoingOn(in shell: inout ServerShell) async throws {
    let lines = try await shell.run(
      """
      print (query db "SELECT count(*) AS n FROM kept")[0, 0].n
      fetch db.kept
      object db.kept [0, 0]
      save (simple [{id: 2, text: new}]) db.more
      count db.more
      """)
    #expect(
      lines == [
        "1", "db.kept: 1 section, 1 object", "id: 1", "text: old", "db.more: 1 row saved", "1",
      ], "\(lines)")
    let tables = try await shell.run("tables db")
    #expect(tables.dropFirst().map { $0.prefix { $0 != " " } } == ["kept", "more"], "\(tables)")
  }
}
