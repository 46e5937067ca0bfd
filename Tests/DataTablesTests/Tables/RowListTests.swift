import DataTables
import TestSupport
import Testing

@Suite struct RowListTests {
  @Test func replacementsAtSeveralPositionsEqualThoseOfAnArray() {
    for seed in 1...300 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var list = RowList(count: 40)
      for _ in 0..<20 {
        let start = random.below(list.count)
        _ = list.replace(start..<start + 1, with: [random.below(9)..<9, 50..<50 + random.below(3)])
      }
      let before = list
      var rows = list.rows.map { Int($0) }
      let positions = rows.indices.filter { _ in random.below(4) == 0 }
      let new = positions.map { _ in 100..<100 + random.below(3) }
      for (position, added) in zip(positions, new).reversed() {
        rows.replaceSubrange(position...position, with: added)
      }
      let change = list.replace(positions, with: new)
      #expect(list.rows == rows.map(UInt32.init), "seed \(seed)")
      #expect(list.count == rows.count, "seed \(seed)")
      list.apply(change.inverse)
      #expect(list.hasSameRows(as: before), "seed \(seed)")
    }
  }

  /// Random replacements, reverted and repeated, have the effect that they have on an array.
  @Test(arguments: [3, 40, 4_000]) func replacementsEqualThoseOfAnArray(steps: Int) {
    for seed in 1...UInt64(steps < 1_000 ? 200 : 2) {
      var random = SplitMix64(seed: seed)
      let count = random.below(3) == 0 ? 0 : random.below(60)
      var list = RowList(count: count)
      var rows = Array(0..<count)
      var next = count
      var changes: [RowList.Replacement] = []
      var states = [rows]
      for _ in 0..<steps {
        let start = random.below(rows.count + 1)
        let range = start..<start + random.below(min(4, rows.count - start + 1))
        let added = (0..<random.below(3)).map { _ in
          let first = next
          next += random.below(4)
          return first..<next
        }
        rows.replaceSubrange(range, with: added.flatMap { $0 })
        changes.append(list.replace(range, with: added))
        if steps < 1_000 {
          #expect(list.rows == rows.map(UInt32.init), "seed \(seed)")
          states.append(rows)
        }
      }
      #expect(list.rows == rows.map(UInt32.init), "seed \(seed)")
      #expect(rows.indices.allSatisfy { list[$0] == rows[$0] }, "seed \(seed)")
      let shuffled = rows.shuffled(using: &random) + [next]
      #expect(
        list.positions(of: shuffled) == shuffled.map { rows.firstIndex(of: $0) }, "seed \(seed)")
      let edited = list
      for (index, change) in changes.enumerated().reversed() {
        list.apply(change.inverse)
        if steps < 1_000 { #expect(list.rows == states[index].map(UInt32.init), "seed \(seed)") }
      }
      #expect(list.isNatural(count), "seed \(seed)")
      for change in changes { list.apply(change) }
      #expect(list.rows == edited.rows, "seed \(seed)")
    }
  }
}
