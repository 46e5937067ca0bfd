import DSInterpreter
import DataSources
import DataTables
import TestSupport
import Testing

/// What a person sees when a server of PostgreSQL does not do what is asked.
@Suite(.requires(.postgres), .serialized) struct PostgreSQLFaultTests {
  private var server: TestDatabases { .running }
  private var address: String { server.postgres ?? "" }
  private var host: Substring {
    address.split(separator: "@").last?.split(separator: "/").first ?? ""
  }

  @Test func aConnectionThatFailsSaysWhy() async throws {
    var shell = ServerShell()
    var lines = try await shell.run("let pg = open postgres://127.0.0.1:1/shop")
    #expect(
      lines == [
        "error: postgres://127.0.0.1:1/shop: cannot connect to 127.0.0.1:1: connection refused"
      ])
    lines = try await shell.run("let pg = open postgres://\(host)/postgre?user=ds")
    #expect(
      lines == [
        "error: postgres://\(host)/postgre: database \"postgre\" does not exist (3D000); "
          + "did you mean `postgres`?"
      ])
    #expect(try await shell.failure("open postgres://\(host)/postgre?user=ds") == .unknownName)
    lines = try await shell.run(
      "let pg = open postgres://\(host)/postgres?user=\(server.user) password: not-the-secret")
    #expect(
      lines == [
        "error: postgres://\(host)/postgres: password authentication failed for user "
          + "\"\(server.user)\" (28P01)"
      ])
  }

  @Test func theServerIsVerified() async throws {
    let certificate = try #require(server.postgresCertificate)
    var shell = ServerShell()
    let lines = try await shell.run(
      """
      let pg = open \(address)?sslmode=verify-full&sslrootcert=\(certificate)
      query pg "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()" | objects
      """)
    #expect(lines.dropFirst() == ["ssl", "true"])
    let other = try await shell.run("open \(address)?sslmode=verify-full&sslrootcert=/nonexistent")
    #expect(other.first?.contains("certificate") == true, "\(other)")
  }

  @Test func aMistakeInAStatementHasItsPlaceAndAHint() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell()
      try await shell.run(#"exec pg "CREATE TABLE people (id int PRIMARY KEY, name text)""#)
      var lines = try await shell.run(#"query pg "SELECT * FROM peopel""#)
      #expect(
        lines == [
          "error: relation \"peopel\" does not exist (42P01); did you mean `people`?",
          "  SELECT * FROM peopel", "                ^",
        ])
      lines = try await shell.run(#"query pg "SELECT nmae FROM people""#)
      #expect(
        lines == [
          "error: column \"nmae\" does not exist; perhaps you meant to reference the column "
            + "\"people.name\" (42703)",
          "  SELECT nmae FROM people", "         ^",
        ])
      lines = try await shell.run(#"query pg "SELEC 1""#)
      #expect(
        lines == ["error: syntax error at or near \"SELEC\" (42601)", "  SELEC 1", "  ^"])
      lines = try await shell.run("count pg.peopel")
      #expect(
        lines == ["error: pg has no table `peopel` (tables pg); did you mean `people`?"])
      #expect(try await shell.failure(#"query pg "SELECT 1; SELECT 2""#) == .database)
      #expect(try await shell.failure(#"query pg "DELETE FROM people""#) == .denied)
      #expect(try await shell.failure("save (simple [{a: 1}]) pg.people") == .conflict)

      var reader = ServerShell()
      lines = try await reader.run(
        "let pg = open \(database.address); exec pg \"DELETE FROM people\"")
      #expect(
        lines.last
          == "error: the database was opened for reading (25006); open it with `write: true`")
    }
  }

  @Test func questionMarksOfTheStatementAreNoPlaceholders() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell()
      let lines = try await shell.run(
        #"""
        query pg "SELECT $$ ? $$ AS a, $x$ ? $x$ AS b, E'\\'?' AS c, '{\"k\": 1}'::jsonb ?? ? AS d, 1 /* ? /* ? */ ? */ AS e" args: [k] | objects
        """#)
      #expect(lines == ["a    b    c   d     e", " ?    ?   '?  true  1"])
    }
  }

  @Test func namesAndValuesAreKept() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell()
      let name = #"pg."it's \"a\" `table`""#
      let lines = try await shell.run(
        """
        save (simple [{"it's \\"a\\" `name`": x, n: 1}]) \(name)
        filtered \(name) where: SELF."it's \\"a\\" `name`" == 'x' | fetch | objects
        save (simple [{a: "a\\u0000b"}]) pg.nul
        query pg "SELECT ?" args: ["a\\u0000b"]
        tables pg
        """)
      #expect(
        lines == [
          #"pg."it's \"a\" `table`": 1 row saved"#, #"it's "a" `name`  n"#, "x                1",
          "error: `a` of row 0 contains the character NUL, which PostgreSQL cannot store",
          "error: argument 1 contains the character NUL, which PostgreSQL cannot store",
          "table             kind   rows  primary key", #"it's "a" `table`  table"#,
        ], "\(lines.joined(separator: "\n"))")
    }
  }

  private static let people = """
    exec pg "CREATE TABLE people (id int PRIMARY KEY, city text)"
    exec pg "INSERT INTO people SELECT i, 'city ' || i % 3 FROM generate_series(1, 1000) i"
    let cities = fetchedResults pg.people sort: city, id section: city | fetch
    """

  @Test func aSnapshotKeepsItsStateUntilItIsIdle() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell("idle: 0.3")
      try await shell.run(Self.people)
      var other = try await database.shell()
      // One state, although another one is there: the transaction lasts.
      try await other.run(#"exec pg "DELETE FROM people WHERE id < 500""#)
      let first = try await shell.run("object cities [0, 0]; print cities.numberOfObjects")
      #expect(first == ["id: 3", "city: city 0", "1000"])
      // When it has been idle, the states are compared.
      try await Task.sleep(for: .seconds(1))
      #expect(
        try await shell.run("object cities [0, 200]").first
          == "error: the database changed after the snapshot was taken (fetch cities)")
      #expect(try await shell.failure("object cities [0, 200]") == .changed)
      let fetched = try await shell.run("fetch cities; object cities [0, 0]")
      #expect(fetched == ["cities: 3 sections, 501 objects", "id: 501", "city: city 0"])
      // Without a change, pages can be read after the idle time too.
      try await Task.sleep(for: .seconds(1))
      #expect(try await shell.run("object cities [1, 150]") == ["id: 952", "city: city 1"])
    }
  }

  @Test func aColumnThatIsGoneIsAChange() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell("idle: 0.2")
      try await shell.run(Self.people)
      var other = try await database.shell()
      try await Task.sleep(for: .milliseconds(700))
      try await other.run(#"exec pg "ALTER TABLE people DROP COLUMN city""#)
      #expect(try await shell.failure("object cities [0, 200]") == .changed)
      #expect(
        try await shell.run("fetch cities; print cities.numberOfObjects")
          == ["error: pg.people has no key `city`", "1000"])
    }
  }

  @Test func aServerThatEndsTheSessionBetweenTwoPagesIsReported() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell()
      try await shell.run(Self.people)
      var other = try await database.shell()
      try await other.run(
        """
        query pg "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(database.name)' AND pid <> pg_backend_pid()"
        """)
      // The state cannot be read any more, unless nothing has changed.
      try await other.run(#"exec pg "DELETE FROM people WHERE id = 7""#)
      let kind = try await shell.failure("object cities [0, 200]")
      #expect(kind == .database || kind == .changed)
      #expect(
        try await shell.run("print cities.numberOfObjects; fetch cities").last
          == "cities: 3 sections, 999 objects")
    }
  }

  @Test func controlCEndsAPageOnTheServer() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell()
      try await shell.run(
        """
        exec pg "CREATE FUNCTION slow(i int) RETURNS text LANGUAGE plpgsql STABLE AS 'BEGIN PERFORM pg_sleep(0.2); RETURN i; END'"
        exec pg "CREATE VIEW slowly AS SELECT i, slow(i) AS s FROM generate_series(1, 200) i"
        let v = pg.slowly
        """)
      for command in ["show v", "object v [0, 7]", "fetchedResults v sort: s | fetch"] {
        let cancellation = shell.cancellation
        let interruption = Task {
          try await Task.sleep(for: .milliseconds(500))
          cancellation.cancel()
        }
        let start = ContinuousClock.now
        #expect(try await shell.failure(command) == .cancelled, "\(command)")
        #expect(ContinuousClock.now - start < .seconds(5))
        _ = try await interruption.value
        cancellation.reset()
      }
      var other = try await database.shell()
      let running = try await other.run(
        "query pg \"SELECT query FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%slowly%' AND pid <> pg_backend_pid()\" | count"
      )
      #expect(running == ["0"])
    }
  }

  @Test func aStatementThatTakesTooLongIsEnded() async throws {
    var shell = ServerShell()
    let lines = try await shell.run(
      "let pg = open \(address) timeout: 0.3; query pg \"SELECT pg_sleep(20)\"")
    #expect(
      lines.last == "error: canceling statement due to statement timeout (57014)", "\(lines)")
    #expect(try await shell.failure(#"query pg "SELECT pg_sleep(20)""#) == .timeout)
  }

  @Test func aFullDiskLeavesTheTableAsItWas() async throws {
    try await TestDatabase.run { database in
      var shell = try await database.shell()
      try await shell.run(Self.people)
      // The server reports a limit of temporary files as it reports a full disk.
      let lines = try await shell.run(
        """
        exec pg "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE disk_full; END'"
        exec pg "CREATE TABLE copies (id int, city text)"
        exec pg "CREATE TRIGGER full_disk BEFORE INSERT ON people EXECUTE FUNCTION refuse()"
        exec pg "INSERT INTO people VALUES (2000, 'x')"
        count pg.people
        """)
      #expect(lines.suffix(2) == ["error: disk_full (53100)", "1000"], "\(lines)")
    }
  }
}
