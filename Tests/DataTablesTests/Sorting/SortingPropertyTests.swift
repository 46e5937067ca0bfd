import TestSupport
import Testing

@testable import DataTables

/// Sorts in the slow, obvious way, by comparing values.
private func slowlySorted(_ rows: [Value], by descriptors: [SortDescriptor]) -> [Int] {
  rows.indices.sorted { left, right in
    for descriptor in descriptors {
      let first = descriptor.keyPath.evaluate(on: rows[left])
      let second = descriptor.keyPath.evaluate(on: rows[right])
      let isDescending = descriptor.direction == .descending
      if first.isNull != second.isNull {
        let nullsFirst = (descriptor.nulls ?? (isDescending ? .last : .first)) == .first
        return first.isNull == nullsFirst
      }
      let ordering = compare(first, second, descriptor.comparison)
      if ordering != .same { return (ordering == .before) != isDescending }
    }
    return left < right
  }
}

private func compare(
  _ left: Value, _ right: Value, _ comparison: SortDescriptor.Comparison
) -> Ordering {
  if case .string(let first) = left, case .string(let second) = right {
    switch comparison {
    case .compare: break
    case .caseInsensitive:
      return Value.string(first.lowercased()).compare(.string(second.lowercased()))
    case .numeric: return NumericText(first).compare(NumericText(second))
    case .localized, .localizedCaseInsensitive, .localizedStandard:
      Issue.record("localized orders are tested elsewhere")
    }
  }
  return left.compare(right)
}

struct SortingPropertyTests {
  private let pool: [Value] =
    [
      nil, true, false, 0, 1, -1, 7, 10, .integer(.max), .integer(.min), "", "a", "A", "b10", "b9",
      "b09", "é", "e\u{301}", "ez", "Z", "abcdefgh", "abcdefgi", "abcdefghi", "a\0", "日本", "日",
      "ключ", "😀", "\u{387}", [], [1], [1, 2], .data([1, 2]), .data([]), .record(Record([])),
      .record(Record([("a", 1)])),
    ]
    + [
      "1.5", "1.50", "1e400", "-1e400", "9007199254740993", "9007199254740992.5",
      "12345678901234567890", "12345678901234567891", "2012-11-01", "2012-11-01T01:00:00+01:00",
      "0001-01-01", "2012-11-01T00:00:00.000000001",
    ].map(Value.init(literal:))

  @Test(arguments: 0..<16)
  func aSortEqualsTheSlowOne(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    // Some rounds have enough rows for several threads, and together they cover every way of
    // sorting.
    let count = [3, 50, 2_500, 101_000][seed == 15 ? 3 : random.below(3)]
    let pools = (0..<3).map { _ in
      (0...random.below(12)).map { _ in random.one(of: pool) }
        + (seed % 3 == 0 ? (0..<count / 2).map { _ in number(&random) } : [])
    }
    let rows = (0..<count).map { _ in
      Value.record(
        Record(["x", "y", "z"].enumerated().map { ($1, random.one(of: pools[$0])) }))
    }
    let descriptors = ["x", "y", "z"].prefix(1 + random.below(3)).map { key in
      SortDescriptor(
        ObjectKeyPath(key: key),
        direction: random.one(of: SortDescriptor.Direction.allCases),
        comparison: random.one(of: SortDescriptor.Comparison.allCases.filter { !$0.isLocalized }),
        nulls: random.one(of: [nil, .first, .last]))
    }
    let order = try ValueTable(rows).sorted(.natural(count), by: descriptors)
    let isSame = (0..<count).map { order[$0] } == slowlySorted(rows, by: descriptors)
    #expect(isSame, "seed \(seed): \(descriptors.map(\.description))")
  }

  private func number(_ random: inout SplitMix64) -> Value {
    random.below(2) == 0
      ? .integer(random.below(1 << 40)) : .string(String(random.next(), radix: 36))
  }

  @Test(
    arguments: SortDescriptor.Direction.allCases, [nil, .first, .last] as [SortDescriptor.Nulls?])
  func numericKeysEqualTheSlowSort(
    direction: SortDescriptor.Direction, nulls: SortDescriptor.Nulls?
  ) throws {
    var random = SplitMix64(seed: 11)
    for count in [2, 1_000, 10_000] {
      let values = (0..<count).map { _ -> Value in
        if random.below(9) == 0 { return nil }
        let double = Double(Int(random.next() >> 40)) - 8_000_000
        return .real(Real(double / 64))
      }
      let table = KeyedTable(values, kind: .real)
      let descriptor = SortDescriptor(
        ObjectKeyPath(key: "x"), direction: direction, nulls: nulls)
      let order = try table.sorted(.natural(count), by: [descriptor])
      let rows = table.objects(at: Array(0..<count))
      let isSame = (0..<count).map { order[$0] } == slowlySorted(rows, by: [descriptor])
      #expect(isSame, "seed 11, \(count) rows")
    }
  }

  @Test(arguments: 0..<10)
  func ranksAreDenseAndFollowTheOrder(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let values = (0..<3_000).map { _ in
      random.below(3) == 0 ? random.one(of: pool) : number(&random)
    }
    for comparison in SortDescriptor.Comparison.allCases where !comparison.isLocalized {
      let ranks = try ValueRanks(
        DistinctValues(values), by: SortDescriptor(ObjectKeyPath(key: "k"), comparison: comparison),
        cancellation: Cancellation())
      let used = Set(ranks.ranks).subtracting([ValueRanks.null])
      #expect(used.count == ranks.count && used.max() == UInt32(ranks.count - 1))
      for _ in 0..<500 {
        let left = random.below(values.count)
        let right = random.below(values.count)
        guard !values[left].isNull, !values[right].isNull else { continue }
        let ordering = compare(values[left], values[right], comparison)
        #expect(Ordering(ranks.ranks[left], ranks.ranks[right]) == ordering, "seed \(seed)")
      }
    }
  }
}
