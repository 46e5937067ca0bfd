import DataSources
import DataTables
import Databases
import Glibc
import Synchronization
import TestSupport
import Testing

/// Streams, cancellation and timeouts.
@Suite(.requires(.postgres)) struct RunningTests {
  @Test func aStreamArrivesInBatches() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let sizes = Mutex<[Int]>([])
      let sum = Mutex(0)
      try await snapshot.forEachBatch(
        of: 3_000, "SELECT i FROM generate_series(1, \(value: 10_000)) i",
        cancellation: Cancellation()
      ) { batch in
        sizes.withLock { $0.append(batch.rows.count) }
        for row in batch.rows {
          if case .integer(let number) = row[0] { sum.withLock { $0 += number } }
        }
        return true
      }
      #expect(sizes.withLock { $0 } == [3_000, 3_000, 3_000, 1_000])
      #expect(sum.withLock { $0 } == 50_005_000)
    }
  }

  @Test func aStreamStopsEarly() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let count = Mutex(0)
      try await snapshot.forEachBatch(
        of: 100, "SELECT i, repeat('x', 1000) FROM generate_series(1, 10000000) i",
        cancellation: Cancellation()
      ) { batch in
        count.withLock { $0 += batch.rows.count }
        return false
      }
      #expect(count.withLock { $0 } == 100)
      // The transaction goes on.
      #expect(try await snapshot.rows("SELECT 1")[0][0].json == "1")
    }
  }

  @Test func anErrorOfTheReaderEndsTheStream() async throws {
    struct Failure: Error {}
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      await #expect(throws: Failure.self) {
        try await snapshot.forEachBatch(
          of: 10, "SELECT i FROM generate_series(1, 10000000) i", cancellation: Cancellation()
        ) { _ in throw Failure() }
      }
      #expect(try await snapshot.rows("SELECT 1")[0][0].json == "1")
    }
  }

  @Test func aStatementWithinAStreamFailsInsteadOfWaiting() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      await #expect(throws: DatabaseError.self) {
        try await snapshot.forEachBatch(
          of: 10, "SELECT i FROM generate_series(1, 100) i", cancellation: Cancellation()
        ) { _ in
          _ = try await snapshot.rows("SELECT 1")
          return true
        }
      }
      #expect(try await snapshot.rows("SELECT 1")[0][0].json == "1")
    }
  }

  @Test func anErrorInTheMiddleOfAStreamIsThrown() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let count = Mutex(0)
      let error = await #expect(throws: DatabaseError.self) {
        try await snapshot.forEachBatch(
          of: 10, "SELECT 1 / (50 - i) FROM generate_series(1, 100) i",
          cancellation: Cancellation()
        ) { batch in
          count.withLock { $0 += batch.rows.count }
          return true
        }
      }
      #expect(error?.code == "22012")
      #expect(count.withLock { $0 } == 40)
      #expect(try await snapshot.rows("SELECT 1")[0][0].json == "1")
    }
  }

  @Test func aStreamWithoutRowsHasColumns() async throws {
    try await Server.run { server in
      let columns = Mutex<[String]>([])
      try await server.snapshot().forEachBatch(
        of: 10, "SELECT 1 AS a, 2 AS b WHERE false", cancellation: Cancellation()
      ) { batch in
        columns.withLock { $0 += batch.columns.map(\.name) }
        return true
      }
      #expect(columns.withLock { $0 } == ["a", "b"])
    }
  }

  @Test func cancelingEndsTheStatementOnTheServer() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let cancellation = Cancellation()
      let mark = "SELECT pg_sleep(60) /* \(server.schema) */"
      let running = Task {
        try await snapshot.rows(SQL(mark), cancellation: cancellation)
      }
      #expect(try await eventually { try await isRunning(mark, server) })
      cancellation.cancel()
      await #expect(throws: TableError.cancelled) { try await running.value }
      #expect(try await !isRunning(mark, server))
      // The snapshot goes on.
      #expect(try await snapshot.rows("SELECT 1")[0][0].json == "1")
    }
  }

  @Test func cancelingTheTaskEndsTheStatement() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let mark = "SELECT pg_sleep(60) /* \(server.schema) */"
      let running = Task { try await snapshot.rows(SQL(mark)) }
      #expect(try await eventually { try await isRunning(mark, server) })
      running.cancel()
      await #expect(throws: TableError.cancelled) { try await running.value }
      #expect(try await eventually { try await !isRunning(mark, server) })
    }
  }

  @Test func cancelingEndsAStream() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let cancellation = Cancellation()
      let count = Mutex(0)
      await #expect(throws: TableError.cancelled) {
        try await snapshot.forEachBatch(
          of: 10, "SELECT i FROM generate_series(1, 10000000) i", cancellation: cancellation
        ) { _ in
          if count.withLock({
            $0 += 1; return $0
          }) == 3 {
            cancellation.cancel()
          }
          return true
        }
      }
      #expect(count.withLock { $0 } == 3)
      #expect(try await snapshot.rows("SELECT 1")[0][0].json == "1")
    }
  }

  @Test func aWaitForTheSnapshotIsCanceled() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let mark = "SELECT pg_sleep(60) /* \(server.schema) */"
      let first = Task { try await snapshot.rows(SQL(mark)) }
      #expect(try await eventually { try await isRunning(mark, server) })
      let cancellation = Cancellation()
      let second = Task { try await snapshot.rows("SELECT 1", cancellation: cancellation) }
      try await Task.sleep(for: .milliseconds(50))
      cancellation.cancel()
      await #expect(throws: TableError.cancelled) { try await second.value }
      first.cancel()
      _ = try? await first.value
    }
  }

  @Test func statementsOfOneSnapshotWaitForEachOther() async throws {
    try await Server.run { server in
      let snapshot = try await server.snapshot()
      let results = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await snapshot.rows("SELECT \(value: .integer(number))::int, pg_sleep(0.005)")[0][0]
              .json
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(results.count == 20)
    }
  }

  @Test func aStatementTimesOut() async throws {
    try await Server.run(timeout: .milliseconds(200)) { server in
      let error = try await server.failure("SELECT pg_sleep(60)")
      #expect(error?.kind == .timeout)
      #expect(error?.code == "57014")
    }
  }

  // In a separate process, because other tests of this one use memory at the same time.
  @Test func aMillionRowsStreamInLittleMemory() async {
    await #expect(processExitsWith: .success) {
      try await Server.run { server in
        let snapshot = try await server.snapshot()
        let before = residentBytes()
        let state = Mutex((rows: 0, peak: 0))
        try await snapshot.forEachBatch(
          of: 1_000, "SELECT i, 'name ' || i, i * 1.5 FROM generate_series(1, 1000000) i",
          cancellation: Cancellation()
        ) { batch in
          state.withLock { state in
            state.rows += batch.rows.count
            if state.rows % 100_000 == 0 { state.peak = max(state.peak, residentBytes() - before) }
          }
          return true
        }
        let (rows, peak) = state.withLock { $0 }
        #expect(rows == 1_000_000)
        #expect(peak < 100 << 20)
      }
    }
  }

  private func isRunning(_ statement: String, _ server: Server) async throws -> Bool {
    try await server.value(
      """
      SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query = \
      \(value: .string(statement))
      """
    ).json != "0"
  }
}

/// The memory of the process.
private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 128)
  guard fgets(&text, 128, file) != nil else { return 0 }
  let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self).split(
    separator: " ")
  return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}
