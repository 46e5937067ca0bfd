import TestSupport
import Testing

@testable import Databases

/// The order of keys after changes, compared with arrays.
@Suite struct KeyOrderTests {
  @Test func positionsAreThoseOfTheKeys() {
    var random = SplitMix64(seed: .random(in: .min ... .max))
    let keys = (0..<5_000).map { Int64($0) &* 7_919 &- 9_000_000 }.shuffled(using: &random)
    let wanted = Array(keys[100..<300]) + [1, 2, .max]
    let found = KeyOrder(keys).positions(of: wanted)
    #expect(found == Dictionary(uniqueKeysWithValues: (100..<300).map { (keys[$0], $0) }))
    #expect(KeyOrder(keys).positions(of: keys).count == keys.count)
    #expect(KeyOrder([]).positions(of: wanted).isEmpty)
  }

  @Test func removedKeysAreReplaced() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let keys = (0..<random.below(40)).map { Int64($0) }
      let kept = keys.filter { _ in random.below(4) > 0 }
      var expected = kept
      for new in 0..<random.below(6) {
        expected.insert(Int64(100 + new), at: random.below(expected.count + 1))
      }
      let removed = keys.filter { !kept.contains($0) }.map { Int($0) }.shuffled(using: &random)
      var added: [Int64: Int] = [:]
      for (position, key) in expected.enumerated() where key >= 100 { added[key] = position }
      let order = try #require(
        KeyOrder(keys).replacing(removed, by: added, count: expected.count), "seed \(seed)")
      #expect(expected.indices.map { order[$0] } == expected, "seed \(seed)")
      for wrong in [expected.count - 1, expected.count + 1] where wrong >= 0 {
        #expect(KeyOrder(keys).replacing(removed, by: added, count: wrong) == nil, "seed \(seed)")
      }
    }
  }

  @Test func placesThatCannotBeReachedAreRejected() {
    let order = KeyOrder([1, 2, 3])
    #expect(order.replacing([0], by: [9: 7], count: 3) == nil)
    #expect(order.replacing([0], by: [8: 1, 9: 1], count: 4) == nil)
  }
}
