import TestSupport
import Testing

@testable import DataTables

/// Compares groups found by several workers with groups found row by row.
struct GroupAppearancesTests {
  private struct Slow {
    var numbers: [Int] = []
    var firstRows: [Int] = []
    var counts: [Int] = []
    var isContiguous = true

    init(_ order: RowOrder, _ codes: [Int]) {
      var last: Int?
      for position in 0..<order.count {
        let number = codes[order[position]]
        if let index = numbers.firstIndex(of: number) {
          counts[index] += 1
          if last != number { isContiguous = false }
        } else {
          numbers.append(number)
          firstRows.append(order[position])
          counts.append(1)
        }
        last = number
      }
    }
  }

  private func check(_ order: RowOrder, _ codes: [Int], bound: Int, _ comment: Comment) {
    let found = codes.withUnsafeBufferPointer {
      GroupAppearances(order, CodeNumbering(codes: $0), bound: bound)
    }
    let slow = Slow(order, codes)
    #expect(found.groups.map(\.number) == slow.numbers, comment)
    #expect(found.groups.map(\.firstRow) == slow.firstRows, comment)
    #expect(found.groups.map(\.count) == slow.counts, comment)
    #expect(found.isContiguous == slow.isContiguous, comment)
  }

  @Test(arguments: 0..<12)
  func groupsEqualThoseFoundRowByRow(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    // Enough rows for several workers, or few.
    let rows = [0, 1, 500, 130_000][seed % 4]
    let bound = 1 + random.below(20)
    let isSorted = Bool.random(using: &random)
    var codes = (0..<rows).map { _ in random.below(bound) }
    if isSorted { codes.sort() }
    check(.natural(rows), codes, bound: bound, "seed \(seed)")
    let some = (0..<UInt32(rows)).filter { _ in random.below(8) > 0 }
    check(.rows(some), codes, bound: bound, "seed \(seed)")
    check(.natural(rows), codes, bound: 1 << 17, "seed \(seed)")
  }

  @Test func groupsAreContiguousAcrossTheBoundariesOfWorkers() {
    let rows = 200_000
    for ends in [[0, rows], [0, 99_999, rows], [0, 100_000, rows], [0, 100_001, 150_000, rows]] {
      let codes = zip(ends, ends.dropFirst()).enumerated().flatMap { number, range in
        [Int](repeating: number, count: range.1 - range.0)
      }
      check(.natural(rows), codes, bound: 4, "\(ends)")
      // The group of the first row also contains the last row.
      check(.natural(rows), codes.dropLast() + [0], bound: 4, "\(ends)")
    }
  }

  @Test(arguments: 0..<6)
  func bucketsFromSeveralWorkersEqualASlowSort(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let rows = [700, 130_000][seed % 2]
    var codes = (0..<rows).map { _ in UInt16(random.below(5)) }
    if seed / 2 == 1 { codes.sort() }
    if seed / 2 == 2 { codes = codes.sorted().dropFirst() + [0] }
    let buckets = RowBuckets(codes: .narrow(codes), buckets: [0, 1, 1, 2, 3], count: 5)
    let (order, counts) = buckets.placed(.natural(rows))
    let bucket = codes.map { [0, 1, 1, 2, 3][Int($0)] }
    #expect(counts == (0..<5).map { number in bucket.count { $0 == number } }, "seed \(seed)")
    let expected = (0..<5).flatMap { number in (0..<rows).filter { bucket[$0] == number } }
    #expect((0..<order.count).map { order[$0] } == expected, "seed \(seed)")
  }
}
