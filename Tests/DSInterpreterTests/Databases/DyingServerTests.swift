import DSInterpreter
import Foundation
import TestServer
import TestSupport
import Testing

/// Servers of databases that die before a message or before its answer. Each command then fails, or
/// shows the same rows as with a server that lives.
///
/// `DSSHELL_FAULTS=all` lets them die at each message; otherwise at some.
@Suite(.serialized) struct DyingServerTests {
  /// The commands of a session, after the one that opens `db`.
  private static let commands = [
    "let cities = fetchedResults db.people sort: city, id section: city | fetch", "sections cities",
    "objects cities", "count db.people",
    "filtered db.people where: id > 5 | fetch", "let all = multi db.people db.people | fetch",
    "indexPath cities where: id == 7", "save new db.copies overwrite: true",
    "fetch cities", "objects db.copies",
  ]
  private static let step =
    ProcessInfo.processInfo.environment["DSSHELL_FAULTS"] == "all" ? 1 : 13
  private static let new = "let new = simple [{id: 1, city: Oslo}, {id: 2, city: Rome}]"

  /// Runs the session as a whole, and then with a break before each message.
  /// - Parameters:
  ///   - address: of a database, with PORT for the port.
  ///   - prepared: commands that make `copies` with three rows, in a session with `db`.
  ///   - tables: a statement that returns the names of all tables.
  private func test(
    _ address: String, port: UInt16, prepared: String, tables: String
  ) async throws {
    func at(_ port: UInt16) -> String {
      address.replacingOccurrences(of: "PORT", with: "\(port)")
    }
    var direct = ServerShell()
    try await direct.run("let db = open \(at(port)) write: true")
    func session(_ proxy: BreakingProxy) async throws -> [[String]] {
      defer { proxy.stop() }
      try await direct.run(prepared)
      var shell = ServerShell()
      let opened = try await shell.run("let db = open \(at(proxy.port)) write: true")
      // The number is that of the whole server, where other tests make tables at the same time.
      var results = [opened.map { $0.replacing(/\d+ tables/, with: "tables") }]
      // Without the name, `save` would write a file.
      guard !hasFailed(results[0]) else { return results }
      try await shell.run(Self.new)
      for command in Self.commands { results.append(try await shell.run(command)) }
      return results
    }
    let whole = try BreakingProxy(to: port)
    let expected = try await session(whole)
    let pieces = whole.pieces
    #expect(!expected.joined().contains { $0.hasPrefix("error") }, "\(expected)")
    #expect(pieces > 2 * Self.commands.count)
    let saved = try #require(Self.commands.firstIndex { $0.hasPrefix("save") }) + 1
    let copies = try #require(expected.last)
    var failures = 0
    for fault in [BreakingProxy.Fault.restart, .end] {
      for piece in stride(from: 1, through: pieces, by: Self.step) {
        let proxy = try BreakingProxy(to: port, before: piece, fault)
        let results = try await session(proxy)
        let comment = Comment(rawValue: "piece \(piece) of \(pieces), \(fault)")
        var hasSaved = false
        for (number, result) in results.enumerated() {
          let isFailed = hasFailed(result)
          if isFailed { failures += 1 }
          if number == saved { hasSaved = !isFailed }
          let isOfOldCopies = number == expected.count - 1 && !hasSaved
          #expect(
            isFailed || result == expected[number] || isOfOldCopies,
            "\(comment), command \(number): \(result), expected \(expected[number])")
        }
        // All of the old rows or all of the new ones.
        try await direct.run("fetch db.copies")
        let left = try await direct.run("objects db.copies")
        #expect(left == copies || !hasSaved && left.count == 4, "\(comment) \(left)")
        let names = try await direct.run("query db \"\(tables)\" | objects")
          .map { $0.filter { !$0.isWhitespace } }.filter { $0.hasPrefix("copies_") }
        // A server that is back has no others; otherwise the error names them, with the commands that
        // drop those that are no longer needed.
        let drops = results.joined().map { $0.drop { $0 == " " } }.filter {
          $0.hasPrefix("exec db \"DROP TABLE IF EXISTS ")
        }
        #expect(
          fault == .end || names.isEmpty && drops.isEmpty,
          "\(comment) \(names) \(results.last ?? [])")
        for name in names {
          #expect(
            results.joined().contains { $0.contains("`\(name)`") }, "\(comment) \(name) \(drops)")
        }
        for drop in drops + names.map({ "exec db \"DROP TABLE IF EXISTS \($0)\"" }) {
          try await direct.run(String(drop))
        }
        #expect(try await direct.run("query db \"\(tables)\" | objects").count == 3, comment)
      }
    }
    #expect(failures > pieces / Self.step)
  }

  private func hasFailed(_ result: [String]) -> Bool {
    result.last { !$0.hasPrefix(" ") }?.hasPrefix("error: ") == true
  }

  @Test(.requires(.postgres)) func aServerOfPostgreSQLThatDies() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell()
      try await shell.run(
        """
        exec pg "CREATE TABLE people (id int PRIMARY KEY, city text)"
        exec pg "INSERT INTO people SELECT i, 'city ' || i % 3 FROM generate_series(1, 10) i"
        """)
      let (start, port, end) = try parts(of: database.address)
      try await test(
        start + "PORT" + end, port: port,
        prepared: """
          exec db "DROP TABLE IF EXISTS copies"
          exec db "CREATE TABLE copies AS SELECT * FROM people WHERE id < 4"
          """,
        tables: "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    }
  }

  @Test(.requires(.clickhouse)) func aServerOfClickHouseThatDies() async throws {
    let (start, port, _) = try parts(of: TestDatabases.running.clickhouse ?? "")
    let name = "test_\(UInt64.random(in: .min ... .max))"
    var shell = ServerShell()
    try await shell.run(
      """
      let ch = open \(TestDatabases.running.clickhouse ?? "") write: true
      exec ch "CREATE DATABASE \(name)"
      exec ch "CREATE TABLE \(name).people (id Int32, city String) ENGINE = MergeTree ORDER BY id"
      exec ch "INSERT INTO \(name).people SELECT number, concat('city ', toString(number % 3)) FROM numbers(10)"
      """)
    let columns = "ENGINE = MergeTree ORDER BY id AS SELECT * FROM \(name).people WHERE id < 3"
    let drop = "exec ch \"DROP DATABASE \(name)\""
    do {
      try await test(
        start + "PORT/" + name, port: port,
        prepared: """
          exec db "DROP TABLE IF EXISTS copies"
          exec db "CREATE TABLE copies \(columns)"
          """,
        tables: "SELECT name FROM system.tables WHERE database = currentDatabase()")
    } catch {
      try await shell.run(drop)
      throw error
    }
    try await shell.run(drop)
  }

  /// The port in an address, and the text before and after it.
  private func parts(of address: String) throws -> (start: String, port: UInt16, end: String) {
    let match = try #require(address.firstMatch(of: /(.*:)(\d+)(\/.*)/))
    return (String(match.1), try #require(UInt16(match.2)), String(match.3))
  }
}
