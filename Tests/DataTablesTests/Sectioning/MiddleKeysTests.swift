import TestSupport
import Testing

@testable import DataTables

struct MiddleKeysTests {
  @Test(arguments: 0..<200)
  func middleKeysEqualThoseOfTheSortedKeys(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let count = Int.random(in: 1...200, using: &random)
    // Few different keys, keys that differ in one byte, or any keys.
    let keys = (0..<count).map { _ -> UInt64 in
      switch seed % 3 {
      case 0: UInt64.random(in: 0...3, using: &random)
      case 1: UInt64.random(in: 0...255, using: &random) << UInt64(8 * (seed % 8))
      default: UInt64.random(in: 0...UInt64.max, using: &random)
      }
    }
    let sorted = keys.sorted()
    let middle = try #require(MiddleKeys(of: keys))
    #expect(middle.low == sorted[(count - 1) / 2], "seed \(seed)")
    #expect(middle.high == sorted[count / 2], "seed \(seed)")
  }

  @Test func noKeysHaveNoMiddle() {
    #expect(MiddleKeys(of: []) == nil)
  }
}
