import DSInterpreter
import DataSources
import DataTables
import TestSupport
import Testing

/// Changes of watched tables that PostgreSQL reports by notifications.
@Suite(.requires(.postgres), .serialized) struct PostgreSQLListeningTests {
  /// Runs a test with a watched table, which is asked once in an hour.
  private func watching(
    _ test: (TestDatabase, inout ServerShell) async throws -> Void
  ) async throws {
    try await TestDatabase.run { database in
      let isMade = try await PSQL.run(
        """
        CREATE TABLE "Some people" (id int PRIMARY KEY, city text);
        INSERT INTO "Some people" VALUES (1, 'Oslo'), (2, 'Rome');
        CREATE TABLE other (id int)
        """, at: database.address)
      #expect(isMade)
      var shell = try await database.shell()
      try await shell.run(
        """
        let s = sectioned pg."Some people" key: city sort: city, id | fetch
        watch s poll: 1h
        """)
      try await test(database, &shell)
    }
  }

  /// Runs the commands that `explain` shows, and watches again.
  private func makeTrigger(in shell: inout ServerShell) async throws {
    let explained = try await shell.run("explain s")
    #expect(
      explained.contains(
        "  watch   pg.\"Some people\" is asked every 3600s; its changes are reported at once after"),
      "\(explained)")
    let commands = explained.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("exec pg ") }
    #expect(commands.count == 2)
    let lines = try await shell.run(commands.joined(separator: "\n"))
    #expect(lines == ["pg: 0 rows changed", "pg: 0 rows changed"], "\(lines)")
    try await shell.run("unwatch s; watch s poll: 1h")
    #expect(
      try await shell.run("explain s").last
        == "  watch   changes of pg.\"Some people\" are reported at once")
  }

  @Test(arguments: [
    ("INSERT INTO \"Some people\" VALUES (3, 'Oslo')", "s  insert [0, 1]  3"),
    ("UPDATE \"Some people\" SET city = 'Oslo' WHERE id = 2", "s  delete section [1]"),
    ("DELETE FROM \"Some people\" WHERE city = 'Rome'", "s  delete section [1]"),
    ("TRUNCATE \"Some people\"", "s  delete section [0]"),
  ])
  func changesOfAnotherProgramArriveWithoutPolling(
    statement: String, change: String
  ) async throws {
    try await watching { database, shell in
      try await makeTrigger(in: &shell)
      #expect(try await PSQL.run(statement, at: database.address))
      let lines = try await shell.run("wait s timeout: 60s")
      #expect(lines.contains(change), "\(lines)")
    }
  }

  @Test func aChangeOfAnotherTableIsIgnored() async throws {
    try await watching { database, shell in
      try await makeTrigger(in: &shell)
      let isDone = try await PSQL.run(
        """
        CREATE TRIGGER dsshell_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON other
          EXECUTE FUNCTION dsshell_notify();
        INSERT INTO other VALUES (1)
        """, at: database.address)
      #expect(isDone)
      #expect(try await shell.failure("wait s timeout: 1s") == .timeout)
    }
  }

  @Test func aTriggerThatIsMadeOrDroppedWhileATableIsWatchedIsNoticed() async throws {
    try await watching { database, shell in
      try await shell.run("unwatch s; watch s poll: 200ms")
      for made in [true, false] {
        let statement = made ? Self.trigger : "DROP FUNCTION dsshell_notify CASCADE"
        #expect(try await PSQL.run(statement, at: database.address))
        // A trigger belongs to the definition, which is read again.
        try await shell.run("wait s timeout: 1s; wait s timeout: 1s")
        let last = try await shell.run("explain s").last ?? ""
        #expect(last.contains("are reported at once") == made, "\(last)")
        #expect(
          try await PSQL.run(
            "DELETE FROM \"Some people\" WHERE id = \(made ? 1 : 2)", at: database.address))
        let lines = try await shell.run("wait s timeout: 20s")
        #expect(lines.contains("s  delete section [0]"), "\(lines)")
      }
    }
  }

  private static let trigger =
    """
    CREATE FUNCTION dsshell_notify() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_notify(''dsshell'', TG_RELID::text); RETURN NULL; END';
    CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON "Some people"
      FOR EACH ROW EXECUTE FUNCTION dsshell_notify();
    CREATE TRIGGER emptied AFTER TRUNCATE ON "Some people" EXECUTE FUNCTION dsshell_notify()
    """

  @Test func aLostConnectionIsAChange() async throws {
    try await watching { database, shell in
      try await makeTrigger(in: &shell)
      let isDone = try await PSQL.run(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE datname = '\(database.name)' AND pid <> pg_backend_pid();
        INSERT INTO "Some people" VALUES (3, 'Rome')
        """, at: database.address)
      #expect(isDone)
      let lines = try await shell.run("wait s timeout: 20s")
      #expect(lines.contains("s: 2 sections, 3 objects"), "\(lines)")
    }
  }

  @Test(arguments: [
    "CREATE TRIGGER dsshell_notify AFTER INSERT OR UPDATE OR DELETE ON other EXECUTE FUNCTION f()",
    "CREATE TRIGGER t AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON other EXECUTE FUNCTION f()",
    """
    CREATE TRIGGER t AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON other
      EXECUTE FUNCTION dsshell_notify();
    ALTER TABLE other DISABLE TRIGGER t
    """,
    """
    CREATE TRIGGER t AFTER INSERT OR DELETE OR TRUNCATE ON other EXECUTE FUNCTION dsshell_notify();
    CREATE TRIGGER u AFTER UPDATE OF id ON other EXECUTE FUNCTION dsshell_notify()
    """,
  ])
  func aTriggerThatMissesChangesIsNotReliedUpon(statements: String) async throws {
    try await watching { database, shell in
      let function = "RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
      let isMade = try await PSQL.run(
        """
        CREATE FUNCTION f() \(function); CREATE FUNCTION dsshell_notify() \(function); \(statements)
        """, at: database.address)
      #expect(isMade)
      let lines = try await shell.run("watch pg.other; explain pg.other")
      #expect(lines.contains { $0.contains("pg.other is asked every 2s") }, "\(lines)")
    }
  }

  @Test func tablesWithPartsAndViewsAreAsked() async throws {
    try await watching { database, shell in
      let isMade = try await PSQL.run(
        """
        CREATE VIEW v AS SELECT * FROM other;
        CREATE TABLE parts (id int) PARTITION BY RANGE (id);
        CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)
        """, at: database.address)
      #expect(isMade)
      for name in ["v", "parts", "part"] {
        let lines = try await shell.run("watch pg.\(name); explain pg.\(name)")
        #expect(lines.last == "  watch   pg.\(name) is asked every 2s", "\(lines)")
      }
    }
  }
}
