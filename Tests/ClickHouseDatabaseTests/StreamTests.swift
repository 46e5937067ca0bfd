import DataSources
import DataTables
import Databases
import Synchronization
import TestSupport
import Testing

@testable import ClickHouseDatabase

@Suite(.requires(.clickhouse)) struct StreamTests {
  private func batches(
    _ statement: SQL, size: Int, upTo limit: Int = .max
  ) async throws -> [RowSet] {
    let connection = try await TestCluster.open(TestCluster.address())
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    let batches = Mutex<[RowSet]>([])
    try await snapshot.forEachBatch(of: size, statement, cancellation: Cancellation()) { rows in
      batches.withLock { batches in
        batches.append(rows)
        return batches.count < limit
      }
    }
    return batches.withLock { $0 }
  }

  @Test(arguments: [1, 999, 1000, 3000, 100_000])
  func allRowsArriveInBatches(size: Int) async throws {
    let count = size == 1 ? 50 : 3000
    let batches = try await batches(
      "SELECT number AS n FROM numbers(\(value: .integer(count)))", size: size)
    let numbers = batches.flatMap { $0.rows.map { $0[0].json } }
    #expect(numbers == (0..<count).map { "\($0)" })
    #expect(batches.dropLast().allSatisfy { $0.rows.count == size })
  }

  @Test func anEmptyResultHasItsColumns() async throws {
    let batches = try await batches("SELECT 1 AS a WHERE 0", size: 10)
    #expect(batches.map(\.columns.count) == [1])
    #expect(batches.map(\.rows.count) == [0])
  }

  @Test func aStreamThatStopsEarlyEndsOnTheServer() async throws {
    let batches = try await batches(
      "SELECT number, 'stops-early' FROM system.numbers", size: 1000, upTo: 100)
    #expect(batches.count == 100)
    #expect(batches.last?.rows.last?.first?.json == "99999")
    #expect(try await runningQueries("stops-early") == 0)
  }

  // The client stops reading, so the server must stop writing: memory does not grow.
  @Test func aSlowReaderSlowsTheServer() async throws {
    let connection = try await TestCluster.open(TestCluster.address())
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    let counts = Mutex<[Int]>([])
    try await snapshot.forEachBatch(
      of: 1000, "SELECT number, 'is-slow' FROM system.numbers", cancellation: Cancellation()
    ) { _ in
      try await Task.sleep(for: .milliseconds(400))
      let read = try await connection.rows(
        """
        SELECT max(read_rows) FROM system.processes WHERE position(query, 'is-slow') > 0 \
        AND position(query, 'system.processes') = 0
        """, cancellation: Cancellation())
      if case .integer(let count)? = read.rows.first?.first {
        counts.withLock { $0.append(count) }
      }
      return counts.withLock { $0.count < 3 }
    }
    let read = counts.withLock { $0 }
    #expect(read.count == 3)
    // About 10 MB in the buffers of both sides.
    #expect(try #require(read.last) < 3_000_000, "\(read)")
  }

  @Test func anErrorAfterRowsIsFound() async throws {
    for count in [200_000, 300_000, 1_000_000] {
      let error = try await failure {
        _ = try await batches(
          "SELECT number, throwIf(number = \(value: .integer(count))) FROM numbers(2000000)",
          size: 1000)
      }
      #expect(error?.code == "395", "\(count)")
      #expect(error?.message == "value passed to 'throwIf' function is non zero")
    }
  }

  @Test func anErrorWithinARowIsFound() async throws {
    let error = try await failure {
      _ = try await batches(
        """
        SELECT concat(\(value: .string(String(repeating: "x", count: 1000))), \
        if(throwIf(number = 200000) = 0, 'y', '')) FROM numbers(400000)
        """,
        size: 1000)
    }
    #expect(error?.code == "395")
  }

  @Test func valuesThatLookLikeErrorsAreValues() async throws {
    let text = "Code: 60, e.displayText() = DB::Exception: no, e.what() = DB::Exception"
    let rows = try await batches(
      "SELECT number, \(value: .string(text)) AS text, 1 FROM numbers(100)", size: 30)
    #expect(rows.map(\.rows.count) == [30, 30, 30, 10])
    #expect(rows.last?.rows.last?[1].string == text)
  }

  @Test func aCanceledStreamEndsOnTheServer() async throws {
    let connection = try await TestCluster.open(TestCluster.address())
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    let cancellation = Cancellation()
    await #expect(throws: TableError.cancelled) {
      try await snapshot.forEachBatch(
        of: 1000, "SELECT number, 'is-canceled' FROM system.numbers", cancellation: cancellation
      ) { _ in
        cancellation.cancel()
        return true
      }
    }
    #expect(try await runningQueries("is-canceled") == 0)
  }
}
