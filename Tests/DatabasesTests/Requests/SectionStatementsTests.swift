import DataTables
import Synchronization
import TestSupport
import Testing

@testable import DataSources
@testable import Databases

/// The statements that find sections and their titles.
@Suite struct SectionStatementsTests {
  @Test func aStatementThatWasStoppedIsNotCached() async throws {
    let rows = (0..<3 * StoreLimits.rowsOfBatch).map { [Value.integer($0), .integer($0), "x"] }
    try await TestRows.withStore(rows) { store in
      let caches = FetchCaches()
      let statement: SQL = "SELECT a\(store.selection.rows())"
      /// - Returns: the number of rows that were read.
      func read(upTo count: Int) async throws -> Int {
        let cache = FetchCache("test", in: caches)
        cache.open("state")
        let total = Mutex(0)
        try await store.table.forEachBatch(statement, StoreJournal(cache), Cancellation()) {
          batch in
          total.withLock {
            $0 += batch.count
            return $0 < count
          }
        }
        _ = cache.finish()
        return total.withLock { $0 }
      }
      let stopped = try await read(upTo: 1)
      let computed = try await read(upTo: .max)
      let kept = try await read(upTo: .max)
      #expect(stopped == StoreLimits.rowsOfBatch)
      #expect([computed, kept] == [rows.count, rows.count])
    }
  }

  /// Groups of equal counts keep the order of their first objects.
  @Test(arguments: [SortDescriptor.Direction.ascending, .descending])
  func tiesOfManyGroupsHaveTheOrderOfFew(direction: SortDescriptor.Direction) async throws {
    let rows = (0..<40).map { [Value.integer($0), .integer($0 % 17), "x"] }
    try await TestRows.withStore(rows) { whole in
      for order in [GroupOrder(.count), GroupOrder(.count, direction: .descending)] {
        let request = TestRows.sections(by: "a", mode: .groups, order: order, direction: direction)
        let few = try await whole.answered(request)
        let many = try await TestRows.withPagedTitles(of: 3) { try await whole.answered(request) }
        #expect(try await many.allTitles() == few.allTitles(), "\(order)")
        #expect(many.counts == few.counts)
      }
    }
  }

  @Test func theTitlesOfManyPagesAreReadByOneStatement() async throws {
    let rows = (0..<300).map { [Value.integer($0), $0 < 3 ? .null : .integer($0), "x"] }
    try await TestRows.withStore(rows) { whole in
      let few = try await whole.answered(TestRows.sections(by: "a"))
      let titles = try await few.allTitles()
      try await TestRows.withPagedTitles(of: 7) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
          let direction: SortDescriptor.Direction =
            random.below(2) == 0 ? .ascending : .descending
          let store = try await whole.answered(TestRows.sections(by: "a", direction: direction))
          let expected = direction == .ascending ? titles : titles.reversed()
          let low = random.below(titles.count - 60)
          let range = low..<low + 60 + random.below(titles.count - low - 59)
          let before = store.computation?.statements.count ?? 0
          #expect(try await store.titles(of: range) == Array(expected[range]), "seed \(seed)")
          #expect(store.computation?.statements.count == before + 1, "seed \(seed)")
        }
      }
    }
  }

  @Test func theLimitOfTitlesIsThatOfTheRequest() async throws {
    let column = ColumnExpression("a", kind: .any, facts: .ordered([.number], hasNulls: false))
    let collector = StoreLimits.$maxTitles.withValue(2) { SectionCollector(OrderTerm(column)) }
    #expect(await collector.add([[1, 5], [2, 5], [3, 5]]))
    guard case .many(let offsets, let outline) = await collector.found else {
      Issue.record("the titles are in memory")
      return
    }
    #expect(offsets == [0, 5, 10, 15])
    #expect(outline.count == 3)
  }
}
