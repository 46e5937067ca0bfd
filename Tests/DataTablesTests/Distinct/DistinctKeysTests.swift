import TestSupport
import Testing

@testable import DataTables

struct DistinctKeysTests {
  /// Keys of few or many values, some of them very common, with or without nulls.
  private func keys(_ count: Int, _ random: inout SplitMix64) -> [UInt64] {
    let values = 1 + random.below(max(1, count) * 2)
    let shift = UInt64(random.below(40))
    let nulls = random.below(3)
    return (0..<count).map { _ in
      switch random.below(10) {
      case 0..<nulls: NumericColumn.null
      case 9: 0
      default: (random.next() % UInt64(values)) << shift
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func theCountEqualsTheSizeOfASet(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for count in [0, 1, 2, 100, 5_000, 110_000] {
      let keys = keys(count, &random)
      let expected = Set(keys).subtracting([NumericColumn.null]).count
      for keysPerRound in [DistinctKeys.keysPerRound, 700 + count / 5] {
        let found = try DistinctKeys(NumericKeys(keys), keysPerRound: keysPerRound)
          .count(cancellation: Cancellation())
        #expect(found == expected, "seed \(seed), \(count) keys, \(keysPerRound) keys per round")
      }
    }
  }

  @Test func equalKeysCountAsOne() throws {
    for key in [0, 1, NumericColumn.null - 1] {
      let keys = NumericKeys([UInt64](repeating: key, count: 101_000))
      #expect(try DistinctKeys(keys).count(cancellation: Cancellation()) == 1)
    }
  }

  @Test func aCanceledCountThrows() {
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: TableError.self) {
      try DistinctKeys(NumericKeys([1, 2])).count(cancellation: cancellation)
    }
  }

  @Test(arguments: [UInt64(5), 6])
  func theExtentHasTheFirstRowsOfTheLeastAndTheGreatestKey(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for count in [0, 1, 3, 1_000, 101_000] {
      let keys = keys(count, &random)
      let extent = KeyExtent(NumericKeys(keys))
      let present = keys.filter { $0 != NumericColumn.null }
      #expect(extent.nulls == keys.count - present.count, "seed \(seed), \(count) keys")
      #expect(
        extent.least?.row == present.min().flatMap { keys.firstIndex(of: $0) },
        "seed \(seed), \(count) keys")
      #expect(
        extent.greatest?.row == present.max().flatMap { keys.firstIndex(of: $0) },
        "seed \(seed), \(count) keys")
    }
  }

  @Test(arguments: [UInt64(8), 9])
  func countsOfCodesEqualThoseOfALoop(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for count in [0, 1, 2_000, 101_000] {
      let distinct = 1 + random.below(900)
      let codes = (0..<count).map { _ in random.below(distinct) }
      var expected = [Int](repeating: 0, count: distinct)
      for code in codes { expected[code] += 1 }
      #expect(
        RowCodes.narrow(codes.map { UInt16($0) }).counts(of: distinct) == expected, "seed \(seed)")
      #expect(
        RowCodes.wide(codes.map { UInt32($0) }).counts(of: distinct) == expected, "seed \(seed)")
    }
    #expect(RowCodes.natural(3).counts(of: 3) == [1, 1, 1])
  }
}
