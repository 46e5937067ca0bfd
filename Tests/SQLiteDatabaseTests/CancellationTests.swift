import DataSources
import DataTables
import Databases
import SQLiteDatabase
import Testing

/// Statements that are canceled while they run.
@Suite struct CancellationTests {
  private static let endless: SQL =
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"

  @Test(.timeLimit(.minutes(1))) func aRaisedFlagEndsAStatement() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a)")
      let connection = try await file.connect(isWritable: true)
      let cancellation = Cancellation()
      let statement = Task {
        try await connection.execute(Self.endless, cancellation: cancellation)
      }
      try await Task.sleep(for: .milliseconds(50))
      cancellation.cancel()
      await #expect(throws: TableError.cancelled) { try await statement.value }
      #expect(
        try await connection.execute("INSERT INTO t VALUES (1)", cancellation: Cancellation()) == 1)
      await connection.close()
    }
  }

  @Test(.timeLimit(.minutes(1))) func aCanceledTaskEndsItsStatement() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a)")
      let connection = try await file.connect(isWritable: true)
      let task = Task { try await connection.execute(Self.endless, cancellation: Cancellation()) }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      await #expect(throws: TableError.cancelled) { try await task.value }
      await connection.close()
    }
  }

  @Test func otherStatementsGoOn() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a)")
      let connection = try await file.connect(isWritable: true)
      let other = try await file.connect(isWritable: false)
      let cancellation = Cancellation()
      let canceled = Task { try await connection.execute(Self.endless, cancellation: cancellation) }
      let limited: SQL =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 2000000) "
        + "SELECT max(n) FROM c"
      async let complete = other.execute(limited, cancellation: Cancellation())
      try await Task.sleep(for: .milliseconds(50))
      cancellation.cancel()
      await #expect(throws: TableError.cancelled) { try await canceled.value }
      _ = try await complete
      await connection.close()
      await other.close()
    }
  }

  /// The task is canceled when the transaction must be rolled back.
  @Test func aCanceledTaskRollsBack() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a)")
      let connection = try await file.connect(isWritable: true)
      let columns = try await connection.schema(
        of: TableName("t"), cancellation: Cancellation()
      ).columns
      let task = Task {
        try await connection.insert(
          into: TableName("t"), columns: columns, cancellation: Cancellation()
        ) {
          withUnsafeCurrentTask { $0?.cancel() }
          throw TableError.cancelled
        }
      }
      await #expect(throws: TableError.cancelled) { try await task.value }
      // Another program can write, so no lock is left, and so can the same connection.
      try file.execute("INSERT INTO t VALUES (1)")
      #expect(
        try await connection.execute("INSERT INTO t VALUES (2)", cancellation: Cancellation()) == 1)
      await connection.close()
    }
  }
}
