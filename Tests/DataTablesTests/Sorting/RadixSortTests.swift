import TestSupport
import Testing

@testable import DataTables

/// Compares the sort by digits with a comparison sort.
@Suite struct RadixSortTests {
  /// How the keys of a test differ.
  enum Keys: CaseIterable {
    /// In all bits.
    case any
    /// Some distinct keys, which repeat.
    case few
    /// In low bits only, below equal upper bits, except for one key: one long run.
    case lowBits
    /// Runs of some length, which differ in low bits.
    case runs
    /// The patterns of decimals.
    case decimals

    func next(_ random: inout SplitMix64, _ index: Int) -> UInt64 {
      switch self {
      case .any: random.next()
      case .few: UInt64(random.below(7)) << 40
      case .lowBits: index == 9 ? 1 << 63 : UInt64(random.below(1 << 20))
      case .runs: UInt64(random.below(400)) << 50 | UInt64(random.below(30))
      case .decimals: (Double(random.below(10_000_000)) / 100).bitPattern
      }
    }
  }

  @Test(arguments: Keys.allCases, [0, 1, 2_048, 2_049, 5_000, 130_000])
  func theOrderIsThatOfAStableComparisonSort(kind: Keys, count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let keys = (0..<count).map { kind.next(&random, $0) }
    let sorted = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map(UInt32.init)
    let natural = keys.withUnsafeBufferPointer { RadixSort.order(of: $0, from: .natural(count)) }
    #expect(natural == sorted)
    let rows = (0..<UInt32(count)).shuffled(using: &random)
    let ofRows = keys.withUnsafeBufferPointer { RadixSort.order(of: $0, from: .rows(rows)) }
    #expect(ofRows == sorted.map { rows[Int($0)] })
    var entries = keys.enumerated().map { KeyedIndex(key: $1, index: UInt32($0)) }
    KeyedIndex.sort(&entries)
    #expect(entries.map(\.index) == sorted)
    #expect(entries.map(\.key) == sorted.map { keys[Int($0)] })
  }
}
