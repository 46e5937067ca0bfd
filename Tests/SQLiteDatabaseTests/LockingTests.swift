import DataSources
import DataTables
import Databases
import SQLiteDatabase
import Testing

/// Files that other programs lock, and write-ahead logs.
@Suite struct LockingTests {
  @Test func aLockedDatabaseIsAnErrorAfterTheTimeout() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a)")
      let connection = try await file.connect(isWritable: true, timeout: .milliseconds(200))
      let program = try OtherProgram(file)
      try program.execute("BEGIN EXCLUSIVE")
      let start = ContinuousClock.now
      let error = await #expect(throws: DatabaseError.self) {
        try await connection.execute("INSERT INTO t VALUES (1)", cancellation: Cancellation())
      }
      #expect(ContinuousClock.now - start >= .milliseconds(200))
      #expect(error?.kind == .timeout)
      #expect(error?.code == "SQLITE_BUSY")
      #expect(
        error?.message
          == "another program has locked the database; try again, or raise `timeout:`")
      try program.execute("COMMIT")
      let changed = try await connection.execute(
        "INSERT INTO t VALUES (1)", cancellation: Cancellation())
      #expect(changed == 1)
      await connection.close()
    }
  }

  @Test func aStatementWaitsForALock() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a)")
      let connection = try await file.connect(isWritable: true, timeout: .seconds(60))
      let program = try OtherProgram(file)
      try program.execute("BEGIN EXCLUSIVE")
      async let changed = connection.execute(
        "INSERT INTO t VALUES (1)", cancellation: Cancellation())
      try await Task.sleep(for: .milliseconds(300))
      try program.execute("COMMIT")
      #expect(try await changed == 1)
      await connection.close()
    }
  }

  /// With a write-ahead log, a snapshot reads its state while others write.
  @Test func aSnapshotKeepsItsStateInWALMode() async throws {
    try await TestFile.run { file in
      try file.execute("PRAGMA journal_mode = wal; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      let connection = try await file.connect()
      let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
      try file.execute("INSERT INTO t VALUES (2)")
      #expect(try await snapshot.count() == 1)
      #expect(try await snapshot.isCurrent(cancellation: Cancellation()) == false)
      let next = try await connection.snapshot(of: [], cancellation: Cancellation())
      #expect(try await next.count() == 2)
      await connection.close()
    }
  }

  @Test func aSnapshotNoticesChangesInOtherModes() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      let connection = try await file.connect()
      let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
      #expect(try await snapshot.count() == 1)
      try file.execute("INSERT INTO t VALUES (2)")
      let error = await #expect(throws: DatabaseError.self) { _ = try await snapshot.count() }
      #expect(error?.kind == .changed)
      await connection.close()
    }
  }
}

extension DatabaseSnapshot {
  fileprivate func count() async throws -> Value? {
    try await rows("SELECT count(*) FROM t", cancellation: Cancellation()).rows.first?.first
  }
}
