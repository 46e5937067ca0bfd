import TestSupport
import Testing

@testable import DataTables

/// Operators over sections, against one value after another.
struct SectionValuesTests {
  private static let key = ObjectKeyPath(key: "x")
  private static let operators: [CollectionOperator] = [
    .sum, .average, .mean, .minimum, .maximum, .first, .last, .median, .standardDeviation,
  ]

  /// Texts of the numbers of a column.
  private static let pools: [[String]] = [
    ["0", "1", "-7", "12", "null"],
    ["0.5", "0.25", "-1.75", "1.50", "100", "null"],
    ["0.1", "0.2", "0.123456789", "99999.99", "-0.000001"],
    // Sums of these are not exact.
    ["0.1", "0.12345678901", "1e300", "-1e300", "3"],
    ["9223372036854775806", "-9223372036854775807", "5000000000000000000", "1"],
    ["4503599627370497.5", "9007199254740993", "0.5", "2251799813685248.25"],
    ["null"],
  ]

  private struct Sample {
    let values: [Value]
    let table: any Table
    let order: RowOrder
    let sections: Sections

    init(seed: Int, _ pool: [String], keyed: NumericColumn.Kind?) {
      var random = SplitMix64(seed: UInt64(seed))
      let numbers = pool.map(Value.init(literal:))
      // Enough rows for several parts and for loops over all rows.
      let count = seed == 0 || seed == 25 ? 110_000 : 50 + random.below(500)
      let values = (0..<count).map { _ in random.one(of: numbers) }
      self.values = values
      table =
        keyed.map { KeyedTable(values, kind: $0) }
        ?? ValueTable(values.map { .record(Record([("x", $0)])) })
      var rows = Array(values.indices)
      if !seed.isMultiple(of: 3) { rows.shuffle(using: &random) }
      if seed.isMultiple(of: 4) { rows = Array(rows.prefix(rows.count - rows.count / 3)) }
      order =
        seed.isMultiple(of: 3) && !seed.isMultiple(of: 4)
        ? .natural(count) : .rows(rows.map { UInt32($0) })
      var offsets = [0]
      for _ in 0..<random.below(5) {
        offsets.append(min(rows.count, offsets[offsets.count - 1] + random.below(rows.count)))
      }
      offsets.append(rows.count)
      sections = Sections(
        offsets: offsets, titles: offsets.indices.dropFirst().map { .integer($0) })
    }

    /// The values of the sections, in their order.
    var sectionValues: [[Value]] {
      (0..<sections.count).map { section in
        sections.positions(in: section).map { values[order[$0]] }
      }
    }
  }

  @Test(arguments: 0..<24)
  func sectionsHaveTheValuesOfTheirObjects(seed: Int) throws {
    for (number, pool) in Self.pools.enumerated() {
      let isReal = pool.contains { $0.contains(".") || $0.contains("e") }
      let keyed: NumericColumn.Kind? = seed.isMultiple(of: 2) ? (isReal ? .real : .integer) : nil
      // An integer beyond 2^53 is not a double.
      if number == 5, keyed != nil { continue }
      let sample = Sample(seed: seed, pool, keyed: keyed)
      for kind in Self.operators {
        let found = try sample.table.aggregates(
          of: kind, Self.key.steps, in: sample.order, sections: sample.sections)
        let expected = sample.sectionValues.map { values in
          var slow = CollectionOperator.Accumulator(kind)
          for value in values { slow.add(value) }
          return slow
        }
        let comment = Comment(rawValue: "seed \(seed), pool \(number), \(kind)")
        #expect(found.values.map(\.json) == expected.map(\.value.json), comment)
        guard kind.isNumeric else { continue }
        #expect(
          found.findings.count == expected.reduce(0) { $0 + $1.findings.count }, comment)
        #expect(
          found.findings.isTooLarge == expected.contains { $0.findings.isTooLarge }, comment)
      }
    }
  }

  @Test func theFirstOfEqualExtremesIsShown() throws {
    let values = (0..<64).map { Value(literal: $0.isMultiple(of: 2) ? "1.50" : "1.5") }
    let table = KeyedTable(values, kind: .real)
    let order = RowOrder.rows((0..<64).reversed())
    let greatest = try table.values(
      of: .maximum, Self.key.steps, in: order, sections: .whole(64, title: ""))
    #expect(greatest.map(\.json) == ["1.5"])
  }

  @Test func extremesOfDatesAndIntegersAreRead() throws {
    let dates = ["2012-11-05", "1969-12-31T23:00:00Z", "null", "2012-11-04"]
      .map(Value.init(literal:))
    let table = KeyedTable((0..<40).map { dates[$0 % 4] }, kind: .date)
    let sections = Sections.whole(40, title: "")
    #expect(
      try table.values(of: .minimum, Self.key.steps, in: .natural(40), sections: sections)
        == [dates[1]])
    #expect(
      try table.values(of: .maximum, Self.key.steps, in: .natural(40), sections: sections)
        == [dates[0]])
  }
}
