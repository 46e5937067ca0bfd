import DSInterpreter
import DataSources
import DataTables
import TestSupport
import Testing

/// Statements of another program that need an exclusive lock of a table that is shown.
@Suite(.requires(.postgres), .serialized) struct PostgreSQLLockTests {
  private static let cities =
    "let cities = fetchedResults pg.people sort: city, id section: city batch: 1 | fetch"

  /// Runs a test with a table whose rows are shown.
  private func showing(
    _ commands: String = cities, _ test: (TestDatabase, inout ServerShell) async throws -> Void
  ) async throws {
    try await TestDatabase.run { database in
      let made = try await PSQL.run(
        """
        CREATE TABLE people (id int PRIMARY KEY, name text, city text);
        INSERT INTO people VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Bergen'), (3, 'Cy', 'Oslo');
        CREATE VIEW everybody AS SELECT * FROM people
        """, at: database.address)
      #expect(made)
      var shell = try await database.shell()
      try await shell.run(commands)
      try await test(database, &shell)
    }
  }

  @Test(arguments: [
    "DROP TABLE people CASCADE", "TRUNCATE people", "ALTER TABLE people ADD COLUMN zip int",
  ])
  func aStatementOfAnotherProgramNeedNotWaitForTheIdleTime(statement: String) async throws {
    try await showing { database, shell in
      try await shell.run("object cities [1, 0]")
      #expect(try await PSQL.run(statement, at: database.address))
      // The state that was fetched is gone, and is not mixed with the new one.
      #expect(try await shell.failure("object cities [1, 1]") == .changed)
    }
  }

  /// Whether the fetch reads the state before or after the statement depends on the time.
  @Test func aFetchBehindAWaitingStatementEnds() async throws {
    try await showing { database, shell in
      let alter = try PSQL("ALTER TABLE people ADD COLUMN zip int", at: database.address)
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      let lines = try await shell.run("fetch cities")
      #expect(ContinuousClock.now - start < .seconds(10))
      #expect(lines == ["cities: 2 sections, 3 objects"], "\(lines)")
      #expect(try await alter.succeeds())
      let later = try await shell.run("fetch cities; object cities [1, 1]")
      #expect(
        later == ["cities: 2 sections, 3 objects", "id: 3", "name: Cy", "city: Oslo", "zip: null"],
        "\(later)")
    }
  }

  @Test func aFetchBehindADropReportsThatTheTableIsGone() async throws {
    try await showing { database, shell in
      let drop = try PSQL("DROP TABLE people CASCADE", at: database.address)
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      try await shell.run("fetch cities")
      #expect(ContinuousClock.now - start < .seconds(10))
      #expect(try await drop.succeeds())
      let lines = try await shell.run("fetch cities")
      #expect(lines == ["error: relation \"people\" does not exist (42P01)"], "\(lines)")
      #expect(try await shell.failure("fetch cities") == .unknownName)
      #expect(try await shell.run("print cities.numberOfObjects") == ["3"])
    }
  }

  @Test func aViewOverATableThatIsDroppedIsReleasedToo() async throws {
    try await showing("let v = filtered pg.everybody where: id > 1 | fetch") { database, shell in
      let isDropped = try await PSQL.run("DROP TABLE people CASCADE", at: database.address)
      #expect(isDropped)
      let kind = try await shell.failure("show v")
      #expect(kind == .changed)
    }
  }

  @Test func aWatchedTableThatIsDroppedIsReported() async throws {
    try await showing("\(Self.cities); watch cities poll: 100ms") { database, shell in
      #expect(
        try await PSQL.run("INSERT INTO people VALUES (4, 'Di', 'Rome')", at: database.address))
      #expect(try await shell.run("wait cities timeout: 15s").count > 0)
      let drop = try PSQL("DROP TABLE people CASCADE", at: database.address)
      let lines = try await shell.run("wait cities timeout: 15s")
      #expect(try await drop.succeeds())
      #expect(lines.first?.hasPrefix("error: ") == true, "\(lines)")
      #expect(lines.first?.contains("does not exist") == true, "\(lines)")
      #expect(try await shell.run("print cities.numberOfObjects") == ["4"])
    }
  }

  @Test func aTableThatAnotherProgramLocksIsReported() async throws {
    try await showing("") { database, _ in
      let lock = try PSQL(
        "BEGIN; LOCK TABLE people; SELECT pg_sleep(10); COMMIT", at: database.address)
      var shell = try await database.shell("timeout: 0.5")
      try await Task.sleep(for: .seconds(1))
      #expect(
        try await shell.run("count pg.people")
          == ["error: canceling statement due to statement timeout (57014)"])
      #expect(try await shell.failure("count pg.people") == .timeout)
      #expect(try await lock.succeeds(within: .seconds(30)))
      #expect(try await shell.run("count pg.people") == ["3"])
    }
  }

  @Test func aConcurrentIndexIsBuiltWhileATableIsShown() async throws {
    try await showing { database, shell in
      let isMade = try await PSQL.run(
        "CREATE INDEX CONCURRENTLY ON people (name)", at: database.address)
      #expect(isMade)
      // The rows are the same, so the pages can still be read.
      let lines = try await shell.run("object cities [1, 1]")
      #expect(lines.first == "id: 3", "\(lines)")
    }
  }
}
