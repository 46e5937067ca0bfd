import TestSupport
import Testing

@testable import DataTables

/// Compares the sort of numbers with their rows with a comparison sort.
struct RowEntriesTests {
  private func check(
    _ order: RowOrder, bound: UInt64, step: UInt64, _ random: inout SplitMix64, _ comment: Comment
  ) {
    let numbers = (0..<order.count).map { _ in
      random.below(3) == 0 ? UInt64(random.below(5)) % bound : random.next() % bound
    }
    guard let entries = RowEntries(order, bound: bound) else {
      #expect(order.count <= RadixSort.shortCount || bound > 1 << 40, comment)
      return
    }
    let (rows, starts) = entries.sorted(step: step) { memory in
      var numbers = numbers
      numbers.withUnsafeMutableBufferPointer { numbers in
        // In two pieces, as several workers write them.
        for piece in [0..<order.count / 3, order.count / 3..<order.count] {
          guard let start = numbers.baseAddress else { return }
          entries.write(start + piece.lowerBound, at: piece, to: memory)
        }
      }
    }
    let sorted = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
    #expect(rows == sorted.map { UInt32(order[$0]) }, comment)
    let ranks = sorted.map { numbers[$0] / step }
    #expect(
      starts == ranks.indices.filter { $0 == 0 || ranks[$0] != ranks[$0 - 1] }, comment)
  }

  @Test(arguments: 0..<24)
  func theOrderIsThatOfAStableComparisonSort(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let count = [2_048, 2_049, 5_000, 130_000][seed % 4]
    let bound = [1, 2, 4_096, 1 << 13 + 1, 1 << 30 + 7, 1 << 44][random.below(6)] as UInt64
    let step = [1, 3, 1 << 20][random.below(3)] as UInt64
    check(.natural(count), bound: bound, step: step, &random, "seed \(seed)")
    let rows = (0..<UInt32(count * 2)).shuffled(using: &random).prefix(count)
    check(.rows(Array(rows)), bound: bound, step: step, &random, "seed \(seed)")
    var mask = RowMask(none: count * 2)
    for row in 0..<count * 2 where random.below(4) > 0 { mask.insert(row) }
    check(RowOrder(mask), bound: bound, step: step, &random, "seed \(seed)")
  }
}
