import TestSupport
import Testing

@testable import DataTables

@Suite struct AddedObjectsTests {
  /// Copies that grow apart, against arrays.
  @Test func copiesAreIndependent() {
    for seed in 1...40 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var copies: [(objects: AddedObjects, expected: [Value])] = [(AddedObjects(), [])]
      for step in 0..<12 {
        var copy = copies[random.below(copies.count)]
        let new = (0..<random.below(2_500)).map { Value.integer(step * 10_000 + $0) }
        copy.objects.append(new)
        copy.expected += new
        copies.append(copy)
      }
      for copy in copies {
        #expect(copy.objects.count == copy.expected.count, "seed \(seed)")
        #expect(Array(copy.objects) == copy.expected, "seed \(seed)")
      }
    }
  }
}
