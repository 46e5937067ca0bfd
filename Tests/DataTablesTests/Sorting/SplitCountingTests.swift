import TestSupport
import Testing

@testable import DataTables

/// Compares counting in two steps with counting in one.
struct SplitCountingTests {
  /// Random levels; not every rank has rows.
  private func levels(_ random: inout SplitMix64, rows: Int) -> [SortLevel] {
    let counts = random.one(of: [[200, 300], [300, 200], [40_000], [30, 30, 40], [2, 20_000]])
    return counts.map { count in
      let used = 1 + random.below(count)
      let codes = (0..<rows).map { _ in UInt32(random.below(used)) }
      var ranks = (0..<UInt32(count)).map { $0 }
      ranks.shuffle(using: &random)
      return .ranks(RowCodes(codes, distinct: count), ranks: ranks, count: count)
    }
  }

  @Test(arguments: 0..<24)
  func twoStepsSortLikeOneStep(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    // Some rounds have enough rows for several threads.
    let count = [2, 700, 9_000, 120_000][seed % 4]
    let levels = levels(&random, rows: count)
    let word = try #require(SortWord.packed(levels).first)
    var rows = (0..<UInt32(count)).map { $0 }
    rows.shuffle(using: &random)
    let buckets = levels.reduce(1) { product, level in
      if case .ranks(_, _, let count) = level { product * count } else { product }
    }
    let split = try #require(SplitCounting(buckets: buckets, count: count))
    for order in [RowOrder.natural(count), .rows(rows)] {
      let expected = word.countingSorted(order, buckets: buckets)
      let found = word.splitSorted(order, by: split)
      #expect(found.rows == expected.rows, "seed \(seed)")
      #expect(found.starts == expected.starts, "seed \(seed)")
    }
  }

  /// The memory of so many neighbors is released before the other rows are placed.
  @Test func manyRowsOfOneRankAreSortedAmongOthers() throws {
    var random = SplitMix64(seed: 24)
    let count = 150_000
    let codes = (0..<count).map { _ in UInt32(random.below(5) == 0 ? random.below(40_000) : 7) }
    let level = SortLevel.ranks(
      RowCodes(codes, distinct: 40_000), ranks: (0..<40_000).map { $0 }, count: 40_000)
    let word = try #require(SortWord.packed([level]).first)
    let split = try #require(SplitCounting(buckets: 40_000, count: count))
    let order = RowOrder.natural(count)
    let expected = word.countingSorted(order, buckets: 40_000)
    let found = word.splitSorted(order, by: split)
    #expect(found.rows == expected.rows)
    #expect(found.starts == expected.starts)
  }
}
