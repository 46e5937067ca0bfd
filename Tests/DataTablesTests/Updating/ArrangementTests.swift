import TestSupport
import Testing

@testable import DataTables

/// Arrangements that follow random edits, against arrangements of all rows.
@Suite struct ArrangementTests {
  @Test func updatesEqualArrangementsOfAllRows() throws {
    var followed = 0
    for seed in 1...300 { followed += try check(seed: UInt64(seed)) }
    // Some edits change too much to be followed, and some orders of groups are not.
    #expect(followed > 2_000)
  }

  /// - Returns: the number of updates that followed an edit.
  private func check(seed: UInt64) throws -> Int {
    var random = SplitMix64(seed: seed)
    let base = ValueTable((0..<random.below(30)).map { _ in Self.object(&random) })
    var pool = EditPool(base)
    var rows = RowList(count: base.count)
    let arrangement = try Self.arrangement(&random)
    var (table, input) = (base as any Table, RowOrder.natural(base.count))
    var old = try? arrangement.ofAll(table, input)
    var followed = 0
    for step in 0..<12 {
      for _ in 0...random.below(3) { try Self.edit(&pool, &rows, &random) }
      let edited = pool.table(rows)
      // Without edits, the table as it was loaded.
      let next: (table: any Table, order: RowOrder) =
        rows.isNatural(base.count) ? (base, .natural(base.count)) : (edited, edited.order)
      let all = try? arrangement.ofAll(next.table, next.order)
      if let old {
        let updated = try? arrangement.updating(
          SectionedTable(table: table, order: old.order, sections: old.sections), of: input,
          to: next.table, next.order)
        if let updated {
          followed += 1
          let label: Comment = "seed \(seed), step \(step)"
          let expected = try #require(all, label)
          #expect(updated.order.isIdentical(to: expected.order), label)
          #expect(updated.sections.offsets == expected.sections.offsets, label)
          #expect(
            updated.sections.titles.map(\.typed) == expected.sections.titles.map(\.typed), label)
          #expect(updated.sections.repeated == expected.sections.repeated, label)
          #expect(updated.sections.listed == expected.sections.listed, label)
        }
      }
      (table, input, old) = (next.table, next.order, all)
    }
    return followed
  }

  @Test func fewEditsOfManyRowsAreFollowed() throws {
    var random = SplitMix64(seed: 7)
    let base = ValueTable((0..<20_000).map { _ in Self.object(&random) })
    var pool = EditPool(base)
    var rows = RowList(count: base.count)
    for _ in 0..<50 { try Self.edit(&pool, &rows, &random, moves: false) }
    let table = pool.table(rows)
    for mode in [SectionMode.runs, .groups, .month] {
      let arrangement = Arrangement(
        where: nil, sort: [SortDescriptor(ObjectKeyPath(key: "k"))],
        sections: Arrangement.SectionKey(
          ObjectKeyPath(key: mode.name == "month" ? "d" : "k"), mode, SectionSettings()),
        cancellation: Cancellation())
      let old = try arrangement.ofAll(base, .natural(base.count))
      let updated = try #require(
        try arrangement.updating(
          SectionedTable(table: base, order: old.order, sections: old.sections),
          of: .natural(base.count), to: table, table.order))
      let all = try arrangement.ofAll(table, table.order)
      #expect(updated.order.isIdentical(to: all.order))
      #expect(updated.sections.offsets == all.sections.offsets)
      #expect(updated.sections.titles == all.sections.titles)
    }
  }

  // MARK: Random content

  private static func object(_ random: inout SplitMix64) -> Value {
    let numbers: [Value] = [1, 2, .real(Real(1.5)), .null, .integer(.max), .real(Real(-0.0)), 0]
    let texts: [Value] = ["ant", "Ant", "ánt", "item 10", "item 9", "", .null, 7]
    let dates: [Value] = ["2012-11-02", "2012-11-30", "2013-01-01", .null, "none"]
    return [
      "k": .integer(random.below(4)), "m": random.one(of: numbers), "n": random.one(of: texts),
      "d": date(random.one(of: dates)),
    ]
  }

  private static func date(_ value: Value) -> Value {
    guard case .string(let text) = value else { return value }
    return Timestamp(iso: text).map { .date($0) } ?? value
  }

  private static func edit(
    _ pool: inout EditPool, _ rows: inout RowList, _ random: inout SplitMix64, moves: Bool = true
  ) throws {
    let position = random.below(rows.count + 1)
    let range = position..<min(rows.count, position + random.below(3))
    switch random.below(moves ? 4 : 3) {
    case 0: _ = rows.replace(range, with: [])
    case 1: _ = rows.replace(position..<position, with: [try pool.add([object(&random)])])
    case 2:
      let objects = range.map { _ in object(&random) }
      _ = rows.replace(range, with: [try pool.add(objects)])
    default:
      guard !range.isEmpty else { return }
      let moved = range.map { rows[$0]..<rows[$0] + 1 }
      _ = rows.replace(range, with: [])
      let target = random.below(rows.count + 1)
      _ = rows.replace(target..<target, with: moved)
    }
  }

  private static func arrangement(_ random: inout SplitMix64) throws -> Arrangement {
    var sort: [SortDescriptor] = []
    for _ in 0..<random.below(3) {
      sort.append(
        SortDescriptor(
          ObjectKeyPath(key: random.one(of: ["k", "m", "n", "d"])),
          in: random.one(of: [[], [], [2, "ant", 1]]),
          direction: random.one(of: [.ascending, .descending]),
          comparison: random.one(of: [
            .compare, .compare, .caseInsensitive, .numeric, .localizedStandard,
          ]), nulls: random.one(of: [nil, .first, .last])))
    }
    let predicate = try Predicate.Comparison(
      .key(ObjectKeyPath(key: "k")), ComparisonOperator(.less), .value(3))
    var settings = SectionSettings()
    settings.titles = [2, 1, 3]
    settings.showsEmpty = random.below(2) == 0
    settings.order = random.one(of: [nil, nil, GroupOrder(.title), GroupOrder(.count)])
    let mode = random.one(of: SectionMode.all)
    let key = random.one(of: ["k", "m", "n", "d"])
    return Arrangement(
      where: random.below(3) == 0 ? .comparison(predicate) : nil, sort: sort,
      sections: random.below(4) == 0
        ? nil : Arrangement.SectionKey(ObjectKeyPath(key: key), mode, settings),
      cancellation: Cancellation())
  }
}

extension Arrangement {
  /// The arrangement of all rows.
  fileprivate func ofAll(_ table: any Table, _ order: RowOrder) throws -> SectionedRows {
    var order = order
    if let predicate {
      order = try table.filtered(order, in: .whole(order.count), by: predicate).order
    }
    let sorted = try table.sortedRows(order, by: sort)
    guard let sections else {
      return SectionedRows(order: sorted.order, sections: .whole(sorted.order.count))
    }
    return try sections.mode.split(
      KeyedRows(table, key: sections.path, rows: sorted), sections.settings)
  }
}
