import TestSupport
import Testing

@testable import DataTables

/// Orders that are computed later, compared with lists of the same rows.
struct DeferredRowsTests {
  private static func mask(_ random: inout SplitMix64, of count: Int) -> RowMask {
    var mask = RowMask(none: count)
    // Full words, sparse words and some of each.
    let density = random.below(5)
    var row = 0
    while row < count {
      let length = 1 + random.below(200)
      let isFull = random.below(5) < density
      for row in row..<min(count, row + length) where isFull || random.below(40) < density {
        mask.insert(row)
      }
      row += length
    }
    return mask
  }

  @Test(arguments: 0..<40)
  func rowsOfAMaskAscend(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let count = [0, 1, 63, 64, 65, 5_000, 20_000, 130_000][seed % 8]
    let mask = Self.mask(&random, of: count)
    let expected = (0..<count).filter(mask.contains).map { UInt32($0) }
    let ranked = RankedMask(mask)
    #expect(ranked.count == expected.count, "seed \(seed)")
    #expect(ranked.listed() == expected, "seed \(seed)")
    for _ in 0..<20 {
      let start = random.below(expected.count + 1)
      let positions = start..<start + random.below(expected.count - start + 1)
      var found: [UInt32] = []
      var indexes: [Int] = []
      ranked.forEachRow(at: positions) { index, row in
        indexes.append(index)
        found.append(row)
      }
      #expect(found == Array(expected[positions]), "seed \(seed)")
      #expect(indexes == Array(0..<positions.count), "seed \(seed)")
    }
    let order = RowOrder(mask)
    #expect(order.listed() == expected, "seed \(seed)")
    #expect((0..<order.count).map { UInt32(order[$0]) } == expected, "seed \(seed)")
    #expect(RowMask(order, of: count).words == mask.words, "seed \(seed)")
    #expect(order == .rows(expected) || expected.count == count, "seed \(seed)")
    #expect(order.matches(from: 0, .rows(expected), from: 0) == expected.count, "seed \(seed)")
  }

  /// A table with a date, a number and a letter.
  private static func table(_ random: inout SplitMix64, rows: Int) -> ColumnTable {
    let days = (0..<rows).map { _ -> UInt64 in
      if random.below(20) == 0 { return NumericColumn.null }
      return NumericColumn.key((15_000 + random.below(400)) * 864_000_000_000) ?? 0
    }
    let numbers = (0..<rows).map { _ in NumericColumn.key(Double(random.below(900)) / 4) }
    let letters: [Value] = [nil, "a", "b", "c", "d", "Z"]
    return ColumnTable(
      keys: ["date", "number", "letter"],
      columns: [
        .keyed(NumericColumn(kind: .date, keys: days)),
        .keyed(NumericColumn(kind: .real, keys: numbers)),
        .coded(
          .narrow((0..<rows).map { _ in UInt16(random.below(letters.count)) }),
          values: DistinctValues(letters)),
      ], count: rows)
  }

  private static func order(_ random: inout SplitMix64, of rows: Int) -> RowOrder {
    switch random.below(3) {
    case 0: .natural(rows)
    case 1: RowOrder(mask(&random, of: rows))
    default: .rows((0..<UInt32(rows)).shuffled(using: &random).dropLast(random.below(rows / 2 + 1)))
    }
  }

  @Test(arguments: 0..<60)
  func aDeferredSortGivesTheSameSections(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let rows = [1, 40, 3_000, 120_000][seed % 4]
    let table = Self.table(&random, rows: rows)
    let order = Self.order(&random, of: rows)
    let keys = ["date", "number", "letter"].shuffled(using: &random).prefix(1 + random.below(3))
    let sort = keys.map {
      SortDescriptor(
        ObjectKeyPath(key: $0), direction: random.one(of: SortDescriptor.Direction.allCases),
        nulls: random.one(of: [nil, .first, .last]))
    }
    var settings = SectionSettings()
    settings.titles = ["c", "a", "x"]
    settings.showsEmpty = Bool.random(using: &random)
    for mode in SectionMode.all where mode.ignoresOrder {
      let key = ObjectKeyPath(key: mode.isByDates ? "date" : "letter")
      func sections(deferred: Bool) throws -> SectionedRows {
        try mode.split(
          KeyedRows(
            table, key: key,
            rows: table.sortedRows(order, by: sort, defersOrder: deferred)), settings)
      }
      let (found, expected) = try (sections(deferred: true), sections(deferred: false))
      let comment: Comment = "seed \(seed) \(mode.name)"
      #expect(found.sections.titles == expected.sections.titles, comment)
      #expect(found.sections.offsets == expected.sections.offsets, comment)
      // Before the rows are listed, and after.
      try check(found, expected, of: table, comment)
      #expect(found.order.listed() == expected.order.listed(), comment)
      try check(found, expected, of: table, comment)
    }
  }

  /// Compares the sections of the rows, and values that are computed from them.
  private func check(
    _ found: SectionedRows, _ expected: SectionedRows, of table: any Table, _ comment: Comment
  ) throws {
    let list = RowOrder.rows(expected.order.listed())
    let numbers = RowSections(found.sections, of: found.order, rows: table.count)
    let slow = RowSections(expected.sections, of: list, rows: table.count)
    #expect(numbers?.numbers == slow?.numbers, comment)
    for kind in [CollectionOperator.sum, .maximum, .first] {
      let steps = ObjectKeyPath(key: "number").steps
      #expect(
        try table.values(of: kind, steps, in: found.order, sections: found.sections)
          == table.values(of: kind, steps, in: list, sections: expected.sections), comment)
    }
  }

  @Test func sectionsThatDivideBucketsAreNumberedByTheirRows() throws {
    let codes = RowCodes.narrow([1, 0, 1, 0, 1, 0] + [UInt16](repeating: 1, count: 60))
    let buckets = RowBuckets(codes: codes, buckets: [0, 1], count: 2)
    let (order, counts) = buckets.placed(.natural(66))
    #expect(counts == [3, 63])
    // The first section has rows of both buckets.
    let sections = Sections(offsets: [0, 20, 66], titles: ["a", "b"])
    let found = RowSections(sections, of: order, rows: 66)
    let slow = RowSections(sections, of: .rows(order.listed()), rows: 66)
    #expect(found?.numbers == slow?.numbers)
    #expect(found?.numbers.count { $0 == 0 } == 20)
  }

  @Test func theFirstOfEqualExtremesIsThatOfTheSection() throws {
    // Enough different numbers for keys; the least one is written in three ways.
    var text = "g,v\na,5\nb,1.0\na,1.00\nc,1.000\n"
    for row in 0..<20_000 { text += "\(row % 2 == 0 ? "a" : "b"),\(row + 2).5\n" }
    let table = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "x.csv").table
    let (key, steps) = (ObjectKeyPath(key: "g"), ObjectKeyPath(key: "v").steps)
    let rows = try SectionMode.groups.split(
      KeyedRows(table, key: key, order: .natural(table.count)), SectionSettings())
    func least(_ sections: Sections) throws -> [Value] {
      try table.values(of: .minimum, steps, in: rows.order, sections: sections)
    }
    #expect(try least(rows.sections).map(\.json) == ["1.00", "1.0", "1.000"])
    // The first row of the whole content with the number is in the first section.
    #expect(try least(.whole(table.count)).map(\.json) == ["1.00"])
  }

  private static func comparison(
    _ key: String, _ kind: ComparisonOperator.Kind, _ value: Value
  ) throws -> Predicate {
    .comparison(
      try Predicate.Comparison(
        .key(ObjectKeyPath(key: key)), ComparisonOperator(kind), .value(value)))
  }

  @Test(arguments: 0..<20)
  func aFilterOverAFilterHasTheRowsOfBoth(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let table = Self.table(&random, rows: [50, 130_000][seed % 2])
    let predicates = try [
      Self.comparison("number", .less, .integer(random.below(200))),
      Self.comparison("number", .greaterOrEqual, .integer(random.below(60))),
      Self.comparison("letter", .notEqual, "b"),
    ].shuffled(using: &random)
    var order = RowOrder.natural(table.count)
    var expected = Array(0..<table.count)
    for predicate in predicates {
      order = try table.filtered(order, in: .whole(order.count), by: predicate).order
      expected = try expected.filter { try predicate.holds(on: table.object(at: $0)) }
      #expect(order.listed() == expected.map { UInt32($0) }, "seed \(seed) \(predicate)")
    }
  }

  @Test func threadsThatReadRowsAtOnceFindTheSame() {
    var random = SplitMix64(seed: 3)
    let codes = (0..<200_000).map { _ in UInt16(random.below(50)) }
    let buckets = RowBuckets(
      codes: .narrow(codes), buckets: (0..<50).map { UInt32($0) }, count: 50)
    let (order, _) = buckets.placed(.natural(codes.count))
    let found = WorkerSlots<[UInt32]>(8)
    Parallel.forEach(8, workers: 8) { piece, _ in
      found[piece] = (0..<1_000).map { UInt32(order[$0 * 199]) }
    }
    let expected = codes.indices.sorted { (codes[$0], $0) < (codes[$1], $1) }
    for piece in 0..<8 {
      #expect(found[piece] == (0..<1_000).map { UInt32(expected[$0 * 199]) })
    }
  }
}
