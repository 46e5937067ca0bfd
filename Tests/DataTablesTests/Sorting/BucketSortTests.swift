import TestSupport
import Testing

@testable import DataTables

struct BucketSortTests {
  /// Numbers with evenly distributed digits, with few different digits, or all equal.
  private func numbers(_ random: inout SplitMix64, bits: Int, lowBits: Int) -> [UInt64] {
    let count = [0, 1, 24, 25, 300, 9_000, 40_000][random.below(7)]
    let mask = bits == 0 ? 0 : UInt64.max >> UInt64(64 - bits)
    let holes: [UInt64] = [.max, 0x0F0F_0F0F_0F0F_0F0F, 0xFF, random.next() & random.next()]
    let kept = mask & random.one(of: holes)
    return (0..<UInt64(count)).map { (random.next() & kept) << UInt64(lowBits) | $0 }
  }

  @Test(arguments: 0..<40)
  func numbersAreSortedAndPassedOnOnce(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let lowBits = 16
    let bits = random.below(49)
    var numbers = numbers(&random, bits: bits, lowBits: lowBits)
    let expected = numbers.sorted()
    var found: [UInt64] = []
    BucketSort.with(capacity: numbers.count, lowBits: lowBits) { sort in
      numbers.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        sort.sort(base, count: buffer.count, bits: bits) { piece, positions in
          #expect(positions.lowerBound == found.count)
          found += UnsafeBufferPointer(start: piece, count: positions.count)
        }
      }
    }
    #expect(found == expected, "seed \(seed)")
  }

  @Test(arguments: 0..<20)
  func numbersWithEqualBitsAreInOnePiece(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var numbers = numbers(&random, bits: 20, lowBits: 16)
    var last: UInt64?
    BucketSort.with(capacity: numbers.count, lowBits: 16) { sort in
      numbers.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        sort.sort(base, count: buffer.count, bits: 20) { piece, positions in
          let keys = (0..<positions.count).map { piece[$0] >> 16 }
          if let first = keys.first, let last { #expect(first > last, "seed \(seed)") }
          last = keys.last ?? last
        }
      }
    }
  }
}
