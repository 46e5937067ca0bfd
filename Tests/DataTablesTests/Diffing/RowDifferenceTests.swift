import TestSupport
import Testing

@testable import DataTables

@Suite struct RowDifferenceTests {
  private static func order(_ rows: [Int]) -> RowOrder {
    .rows(rows.map { UInt32(truncatingIfNeeded: $0) })
  }

  /// The rows after some places were edited, each by the removal and the insertion of up to `size`
  /// rows. New rows are numbered from `count` on.
  private static func edited(
    _ count: Int, gaps: Int, of size: Int, _ random: inout SplitMix64
  ) -> [Int] {
    var rows: [Int] = []
    var (position, added) = (0, count)
    let distance = max(1, count / gaps)
    for gap in 0..<gaps {
      let start = min(count, max(position, distance * gap + random.below(distance)))
      rows += position..<start
      position = min(count, start + random.below(size + 1))
      let new = random.below(size + 1)
      rows += added..<added + new
      added += new
    }
    return rows + Array(position..<count)
  }

  /// Without moved rows, the rows of only one order are the least difference.
  @Test(arguments: [(1, 4, 3), (30, 5, 3), (400, 6, 30), (20_000, 40, 20), (60_000, 9, 700)])
  func onlyRowsThatDifferAreFound(count: Int, gaps: Int, size: Int) throws {
    for seed in 1...UInt64(count < 1_000 ? 200 : 4) {
      var random = SplitMix64(seed: seed)
      let rows = Self.edited(count, gaps: gaps, of: size, &random)
      let kept = Set(rows)
      let removed = (0..<count).filter { !kept.contains($0) }
      let added = rows.filter { $0 >= count }
      for order in [RowOrder.natural(count), Self.order(Array(0..<count))] {
        let note: Comment = "seed \(seed)"
        let difference = try #require(RowDifference(from: order, to: Self.order(rows)), note)
        #expect(difference.removed.map(\.row) == removed, note)
        #expect(difference.added.map(\.row) == added, note)
        let back = try #require(RowDifference(from: Self.order(rows), to: order), note)
        #expect(back.removed.map(\.row) == added, note)
        #expect(back.added.map(\.row) == removed, note)
      }
    }
  }

  /// An updated row beside a removed one, and the like, among more rows than a gap may have.
  @Test(arguments: [(2, 1), (1, 2), (3, 1), (1, 9), (20, 3), (3, 20), (900, 1_000)])
  func aGapOfDifferentLengthsIsSmall(removed: Int, added: Int) throws {
    let rows = Self.replacing(removed, with: added)
    let difference = try #require(RowDifference(from: .natural(50_000), to: Self.order(rows)))
    #expect(difference.removed.map(\.position) == Array(5_000..<5_000 + removed))
    #expect(difference.added.map(\.position) == Array(5_000..<5_000 + added))
    #expect(difference.added.allSatisfy { $0.anchor == 4_999 && $0.replaced == nil })
  }

  @Test func manyAdjacentRowsAreNotFollowed() {
    let rows = Self.replacing(1, with: 4_097)
    #expect(RowDifference(from: .natural(50_000), to: Self.order(rows)) == nil)
  }

  /// 50,000 rows with others in place of some from row 5,000 on.
  private static func replacing(_ removed: Int, with added: Int) -> [Int] {
    var rows = Array(0..<50_000)
    rows.replaceSubrange(5_000..<5_000 + removed, with: 50_000..<50_000 + added)
    return rows
  }

  /// Against a search of all pairs of lengths, also with rows that move.
  @Test func eachGapIsTheSmallest() throws {
    for seed in 1...UInt64(1_000) {
      var random = SplitMix64(seed: seed)
      let old = Array(0..<random.below(60))
      let (gaps, size) = (random.below(4) + 1, random.one(of: [2, 5, 25]))
      var new = Self.edited(old.count, gaps: gaps, of: size, &random)
      for _ in 0..<random.below(4) where !new.isEmpty {
        let start = random.below(new.count)
        let end = min(new.count, start + random.below(12) + 1)
        let moved = new[start..<end]
        new.removeSubrange(start..<end)
        new.insert(contentsOf: moved, at: random.below(new.count + 1))
      }
      let difference = try #require(
        RowDifference(from: Self.order(old), to: Self.order(new)), "seed \(seed)")
      try Self.check(difference, old, new, "seed \(seed)")
    }
  }

  private static func check(
    _ difference: RowDifference, _ old: [Int], _ new: [Int], _ note: Comment
  ) throws {
    var (removed, added) = (difference.removed[...], difference.added[...])
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if left < old.count, right < new.count, old[left] == new[right] {
        (left, right) = (left + 1, right + 1)
        continue
      }
      var gap = (old: 0, new: 0)
      let (removals, additions) = (removed, added)
      while let removal = removed.first, removal.position == left + gap.old {
        try #require(removal.row == old[removal.position], note)
        removed.removeFirst()
        gap.old += 1
      }
      while let addition = added.first, addition.position == right + gap.new {
        try #require(addition.row == new[addition.position], note)
        try #require(addition.anchor == left - 1, note)
        added.removeFirst()
        gap.new += 1
      }
      for (index, addition) in additions.prefix(gap.new).enumerated() {
        let expected = gap.old == gap.new ? removals.dropFirst(index).first?.position : nil
        try #require(addition.replaced?.position == expected, note)
      }
      let least = leastGap(old[left...], new[right...])
      try #require(gap.old + gap.new == least, note)
      (left, right) = (left + gap.old, right + gap.new)
    }
    #expect(removed.isEmpty && added.isEmpty, note)
  }

  /// The least number of rows, in both orders together, after which they have the same row or end.
  private static func leastGap(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> Int {
    var least = old.count + new.count
    for (skippedOld, row) in old.enumerated() {
      for (skippedNew, other) in new.enumerated() where row == other {
        least = min(least, skippedOld + skippedNew)
      }
    }
    return least
  }
}
