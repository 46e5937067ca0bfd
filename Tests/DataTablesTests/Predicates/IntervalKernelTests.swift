import CScan
import TestSupport
import Testing

@testable import DataTables

/// Compares the search for keys in intervals, at every level of the kernels, with a loop over the keys.
struct IntervalKernelTests {
  private var levels: [ds_kernels] { (0...2).compactMap { ds_kernels_at(Int32($0))?.pointee } }

  @Test(arguments: 0..<100)
  func everyLevelFindsTheSameKeys(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let bounds: [UInt64] = [0, 1, .max, .max - 1, 1 << 63, 1 << 63 - 1, 7, 1 << 40]
    func key() -> UInt64 {
      switch random.below(3) {
      case 0: random.one(of: bounds)
      case 1: UInt64(random.below(12))
      default: random.next()
      }
    }
    for count in 0...64 {
      // Memory of exactly this size, so that a sanitizer sees reads behind it.
      let keys = (0..<count).map { _ in key() }
      let intervals = (0..<random.below(5)).map { _ in
        let (first, last) = (key(), key())
        return ds_interval(first: min(first, last), distance: max(first, last) - min(first, last))
      }
      var expected: UInt64 = 0
      for (bit, key) in keys.enumerated()
      where intervals.contains(where: { key >= $0.first && key - $0.first <= $0.distance }) {
        expected |= 1 << UInt64(bit)
      }
      for level in levels {
        let found = level.keys_in(keys, count, intervals, intervals.count)
        #expect(found == expected, "seed \(seed), \(String(cString: level.name))")
      }
    }
  }
}
