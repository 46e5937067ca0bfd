import DataSources
import DataTables
import Databases
import PostgreSQLDatabase
import TestSupport
import Testing

@Suite(.requires(.postgres)) struct ListeningTests {
  private static let tables = (1...9).map { "t\($0)" }

  private func makeTables(_ server: Server) async throws {
    try await server.execute(
      """
      CREATE FUNCTION dsshell_notify() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_notify(''dsshell'', TG_RELID::text); RETURN NULL; END'
      """)
    for table in Self.tables {
      try await server.execute(SQL("CREATE TABLE \(table) (a int)" as String))
      let trigger = """
        CREATE TRIGGER n AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(table)
          EXECUTE FUNCTION dsshell_notify()
        """
      try await server.execute(SQL(trigger))
    }
  }

  private func listener(
    to table: String, _ server: Server
  ) async throws -> any ChangeListener {
    let found = try await server.connection.listening(
      to: TableName(table), cancellation: Cancellation())
    guard case .active(let listener) = found else {
      throw DatabaseError(.engine, "\(table) is not listened to")
    }
    return listener
  }

  private func sessions(_ server: Server, where condition: String) async throws -> String {
    try await server.value(
      SQL(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE application_name = '\(server.schema)' AND \(condition)
        """ as String)
    ).json
  }

  @Test func allListenersShareASessionThatClosesAfterThem() async throws {
    try await Server.run { server in
      try await makeTables(server)
      let snapshot = try await server.snapshot("t1")
      let process = try await snapshot.rows("SELECT pg_backend_pid()")[0][0].json
      var listeners: [any ChangeListener] = []
      for table in Self.tables { listeners.append(try await listener(to: table, server)) }
      #expect(try await sessions(server, where: "query LIKE 'LISTEN%'") == "1")
      // The snapshot has kept its transaction.
      #expect(try await snapshot.rows("SELECT pg_backend_pid()")[0][0].json == process)
      listeners = []
      #expect(
        try await eventually { try await sessions(server, where: "query LIKE 'LISTEN%'") == "0" })
    }
  }

  @Test func eachListenerReportsItsTable() async throws {
    try await Server.run { server in
      try await makeTables(server)
      let first = try await listener(to: "t1", server)
      let second = try await listener(to: "t2", server)
      let same = try await listener(to: "t2", server)
      try await server.execute("INSERT INTO t2 VALUES (1)")
      #expect(try await eventually { try await second.takeChange() })
      #expect(try await same.takeChange())
      #expect(try await !first.takeChange())
      #expect(try await !second.takeChange())
      try await server.execute("DELETE FROM t1")
      #expect(try await eventually { try await first.takeChange() })
      #expect(try await !same.takeChange())
    }
  }

  @Test func aLostSessionIsReplaced() async throws {
    try await Server.run { server in
      try await makeTables(server)
      let first = try await listener(to: "t1", server)
      let second = try await listener(to: "t2", server)
      let statement = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = '\(server.schema)' AND query LIKE 'LISTEN%'
        """
      try await server.execute(SQL(statement))
      for lost in [first, second] {
        let isLost = await eventually {
          do { return try await lost.takeChange() && false } catch { return true }
        }
        #expect(isLost)
      }
      let third = try await listener(to: "t1", server)
      try await server.execute("INSERT INTO t1 VALUES (1)")
      #expect(try await eventually { try await third.takeChange() })
    }
  }
}
