import DataSources
import DataTables
import Databases
import Glibc
import PostgreSQLDatabase
import TestSupport
import Testing

private let rowCount: SQL = "SELECT count(*) FROM t"

@Suite(.requires(.postgres)) struct SnapshotTests {
  private func filled(_ server: Server) async throws {
    try await server.execute("CREATE TABLE t (a int, b text)")
    try await server.execute("INSERT INTO t SELECT i, 'x' FROM generate_series(1, 10) i")
  }

  @Test func aSnapshotNeverMixesStates() async throws {
    try await Server.run { server in
      try await filled(server)
      let other = try await server.other()
      let isDone = Cancellation()
      let writer = Task {
        var total = 0
        while !isDone.isCancelled {
          total +=
            try await other.execute(
              "INSERT INTO t SELECT i, 'y' FROM generate_series(1, 10) i",
              cancellation: Cancellation()) ?? 0
        }
        return total
      }
      for _ in 0..<20 {
        let snapshot = try await server.snapshot("t")
        let count = try await snapshot.rows(rowCount)[0][0].json
        try await Task.sleep(for: .milliseconds(5))
        #expect(try await snapshot.rows(rowCount)[0][0].json == count)
        let groups = try await snapshot.rows("SELECT a, count(*) FROM t GROUP BY a ORDER BY a")
        #expect(Set(groups.map { $0[1].json }).count == 1)
      }
      isDone.cancel()
      #expect(try await writer.value > 0)
      await other.close()
    }
  }

  @Test func aSnapshotIsCurrentUntilItsTableChanges() async throws {
    try await Server.run { server in
      try await filled(server)
      try await server.execute("CREATE TABLE u (a int)")
      let snapshot = try await server.snapshot("t")
      #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
      try await server.execute("INSERT INTO u VALUES (1)")
      #expect(try await snapshot.isCurrent(cancellation: Cancellation()))
      try await server.execute("UPDATE t SET b = 'z' WHERE a = 3")
      #expect(try await !snapshot.isCurrent(cancellation: Cancellation()))
      // It still reads its state.
      #expect(try await snapshot.rows("SELECT count(*) FROM t WHERE b = 'z'")[0][0].json == "0")
    }
  }

  @Test(arguments: [
    "INSERT INTO t VALUES (11)", "DELETE FROM t WHERE a = 1", "UPDATE t SET b = b WHERE a = 1",
    "TRUNCATE t", "ALTER TABLE t ADD c int", "ALTER TABLE t RENAME b TO d",
    "INSERT INTO t SELECT 1 FROM generate_series(1, 1000)",
  ])
  func eachChangeIsSeenAfterTheIdleTime(change: String) async throws {
    try await Server.run(idle: .milliseconds(50)) { server in
      try await filled(server)
      let snapshot = try await server.snapshot("t")
      #expect(try await snapshot.rows(rowCount)[0][0].json == "10")
      #expect(await idle(server))
      #expect(try await snapshot.rows(rowCount)[0][0].json == "10")
      #expect(await idle(server))
      try await server.execute(SQL(change))
      for _ in 0..<2 {
        let error = await #expect(throws: DatabaseError.self) {
          _ = try await snapshot.rows(rowCount)
        }
        #expect(error?.kind == .changed)
      }
      #expect(try await !snapshot.isCurrent(cancellation: Cancellation()))
    }
  }

  @Test func aChangeOfAnotherTableDoesNotMatterAfterTheIdleTime() async throws {
    try await Server.run(idle: .milliseconds(50)) { server in
      try await filled(server)
      try await server.execute("CREATE TABLE u (a int)")
      let snapshot = try await server.snapshot("t")
      #expect(await idle(server))
      try await server.execute("INSERT INTO u VALUES (1)")
      #expect(try await snapshot.rows(rowCount)[0][0].json == "10")
      #expect(await idle(server))
      try await server.execute("INSERT INTO t VALUES (1)")
      await #expect(throws: DatabaseError.self) { _ = try await snapshot.rows(rowCount) }
    }
  }

  @Test func aChangeUnderAViewIsSeen() async throws {
    try await Server.run(idle: .milliseconds(50)) { server in
      try await filled(server)
      try await server.execute("CREATE VIEW v AS SELECT * FROM t")
      let snapshot = try await server.snapshot("v")
      #expect(await idle(server))
      try await server.execute("INSERT INTO t VALUES (1)")
      await #expect(throws: DatabaseError.self) { _ = try await snapshot.rows(rowCount) }
    }
  }

  @Test func aChangeOfAPartitionIsSeen() async throws {
    try await Server.run(idle: .milliseconds(50)) { server in
      try await server.execute("CREATE TABLE t (a int) PARTITION BY RANGE (a)")
      try await server.execute("CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (10)")
      try await server.execute("CREATE TABLE t2 PARTITION OF t FOR VALUES FROM (10) TO (20)")
      try await server.execute("INSERT INTO t VALUES (1), (11)")
      let snapshot = try await server.snapshot("t")
      #expect(await idle(server))
      #expect(try await snapshot.rows(rowCount)[0][0].json == "2")
      #expect(await idle(server))
      try await server.execute("UPDATE t2 SET a = 12")
      await #expect(throws: DatabaseError.self) { _ = try await snapshot.rows(rowCount) }
    }
  }

  @Test func anOpenTransactionIsNotAChangeUntilItCommits() async throws {
    try await Server.run { server in
      try await filled(server)
      let first = try await server.snapshot("t")
      try await server.execute("DO $$ BEGIN UPDATE t SET a = 0; ROLLBACK; END $$")
      #expect(try await first.isCurrent(cancellation: Cancellation()))
    }
  }

  @Test func tokensAreEqualForEqualStates() async throws {
    try await Server.run { server in
      try await filled(server)
      let first = try await server.snapshot("t")
      try await server.execute("DELETE FROM t WHERE a = 1")
      let second = try await server.snapshot("t")
      #expect(first.token != nil)
      #expect(first.token != second.token)
    }
  }

  @Test func contentTokensIgnoreOtherTables() async throws {
    try await Server.run { server in
      try await filled(server)
      try await server.execute("CREATE TABLE u (a int)")
      let first = try await server.snapshot("t").contentToken(cancellation: Cancellation())
      try await server.execute("INSERT INTO u VALUES (1)")
      let second = try await server.snapshot("t").contentToken(cancellation: Cancellation())
      try await server.execute("UPDATE t SET b = 'y' WHERE a = 7")
      let third = try await server.snapshot("t").contentToken(cancellation: Cancellation())
      #expect(first != nil)
      #expect(first == second)
      #expect(second != third)
    }
  }

  @Test func theMarkOfATableChangesSoonAfterIt() async throws {
    try await Server.run { server in
      try await filled(server)
      try await server.execute("CREATE VIEW v AS SELECT * FROM t")
      let connection = server.connection
      func mark(_ table: String) async throws -> String? {
        try await connection.changeMark(of: [TableName(table)], cancellation: Cancellation())
      }
      let table = try await mark("t")
      let view = try await mark("v")
      let other = try await server.other()
      try await other.execute("UPDATE t SET b = 'y'", cancellation: Cancellation())
      await other.close()
      #expect(try await eventually { try await mark("t") != table })
      #expect(try await mark("v") != view)
    }
  }

  @Test func aServerThatDiesBetweenTwoPagesIsReported() async throws {
    let servers = try OwnServers("postgres")
    let address = try DatabaseAddress(parsing: try #require(servers.databases.postgres))
    let connection = try await DatabaseDriver.postgres.connect(
      address, ConnectionOptions(), Cancellation())
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    #expect(try await snapshot.rows("SELECT 1")[0][0].json == "1")
    try servers.kill("postgres")
    let error = await #expect(throws: DatabaseError.self) {
      // The process of the connection notices the end of the server a little later.
      for _ in 0..<1_000 {
        _ = try await snapshot.rows("SELECT 2")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    #expect(error?.kind == .connection)
    // The session may have ended first, when it looked for sessions that wait for it.
    let message = error?.message ?? ""
    #expect(
      message.hasPrefix("the server closed the connection")
        || message.hasPrefix("cannot connect to 127.0.0.1:"), "\(message)")
    let later = await #expect(throws: DatabaseError.self) {
      _ = try await snapshot.rows("SELECT 2")
    }
    #expect(later?.message.hasPrefix("cannot connect to 127.0.0.1:") == true)
    await connection.close()
  }

  @Test func aLookAtAServerThatDoesNotAnswerEnds() async throws {
    let servers = try OwnServers("postgres")
    let address = try DatabaseAddress(parsing: try #require(servers.databases.postgres))
    let connection = try await DatabaseDriver.postgres.connect(
      address, ConnectionOptions(), Cancellation())
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    let found = try await snapshot.rows("SELECT pg_backend_pid()")[0][0]
    guard case .integer(let process) = found else { return }
    #expect(kill(pid_t(process), SIGSTOP) == 0)
    defer { kill(pid_t(process), SIGCONT) }
    // The first look begins after a second and ends after three more; a machine may be busy. A read
    // before it would have to be canceled.
    try await Task.sleep(for: .seconds(6))
    let cancellation = Cancellation()
    let limit = Task {
      try await Task.sleep(for: .seconds(30))
      cancellation.cancel()
    }
    let rows = try await snapshot.rows("SELECT 2", cancellation: cancellation).rows
    limit.cancel()
    #expect(rows.first?.first?.json == "2")
    await connection.close()
  }

  @Test func releasedSnapshotsShareASession() async throws {
    try await Server.run { server in
      var processes: Set<String> = []
      for _ in 0..<10 {
        processes.insert(try await server.value("SELECT pg_backend_pid()").json)
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(processes.count <= 2)
    }
  }

  @Test func manySnapshotsShareFewSessions() async throws {
    try await Server.run { server in
      try await filled(server)
      var snapshots: [any DatabaseSnapshot] = []
      for _ in 0..<20 { snapshots.append(try await server.snapshot("t")) }
      for snapshot in snapshots {
        #expect(try await snapshot.rows(rowCount)[0][0].json == "10")
      }
      let open = try await server.value(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE application_name = \(value: .string(server.schema))
        """)
      guard case .integer(let count) = open else { return }
      #expect((2...9).contains(count))
    }
  }

  @Test func aServerThatEndsTheSessionIsReported() async throws {
    try await Server.run { server in
      try await filled(server)
      let snapshot = try await server.snapshot("t")
      let process = try await snapshot.rows("SELECT pg_backend_pid()")[0][0]
      let other = try await server.other()
      try await other.execute(
        "SELECT pg_terminate_backend(\(value: process)::int)", cancellation: Cancellation())
      try await Task.sleep(for: .milliseconds(50))
      let error = await #expect(throws: DatabaseError.self) {
        _ = try await snapshot.rows(rowCount)
      }
      #expect(error?.kind == .connection)
      #expect(error?.message.hasPrefix("the server closed the connection") == true)
      // A later read uses a new session if the state is the same, and fails otherwise.
      do {
        #expect(try await snapshot.rows(rowCount)[0][0].json == "10")
      } catch let error as DatabaseError {
        #expect(error.kind == .changed)
      }
      await other.close()
    }
  }

  @Test func aServerThatEndsTheSessionDuringAStatementIsReported() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let process = try await snapshot.rows("SELECT pg_backend_pid()")[0][0]
      let running = Task { try await snapshot.rows("SELECT pg_sleep(60)") }
      try await Task.sleep(for: .milliseconds(100))
      try await server.execute("SELECT pg_terminate_backend(\(value: process)::int)")
      let error = await #expect(throws: DatabaseError.self) { try await running.value }
      #expect(error?.kind == .connection)
      #expect(error?.code == "57P01")
    }
  }

  /// Waits until the idle time of the test is over.
  private func idle(_ server: Server) async -> Bool {
    try? await Task.sleep(for: .milliseconds(250))
    return true
  }
}
