import TestSupport
import Testing

@testable import DataTables

/// Sections computed in the slow, obvious way: by comparing every key with every title.
private struct SlowSections: Equatable, CustomStringConvertible {
  var titles: [Value] = []
  var rows: [[Int]] = []

  init() {}

  init(_ sectioned: SectionedRows) {
    let sections = sectioned.sections
    titles = sections.titles
    rows = (0..<sections.count).map { section in
      (sections.offsets[section]..<sections.offsets[section + 1]).map { sectioned.order[$0] }
    }
  }

  mutating func add(_ row: Int, to title: Value) {
    if let section = titles.firstIndex(of: title) {
      rows[section].append(row)
    } else {
      titles.append(title)
      rows.append([row])
    }
  }

  mutating func sort(by isBefore: (Int, Int) -> Bool) {
    let order = titles.indices.sorted { isBefore($0, $1) || !isBefore($1, $0) && $0 < $1 }
    (titles, rows) = (order.map { titles[$0] }, order.map { rows[$0] })
  }

  var description: String {
    zip(titles, rows).map { "\($0.json): \($1)" }.joined(separator: ", ")
  }
}

struct SectionModeTests {
  private static let key = ObjectKeyPath(key: "x")
  private static let pool =
    ["1", "1.0", "2", "x", "y", "é", "e\u{301}", "null", "true", "7", "A", "B"]
    .map(Value.init(literal:))
  private static let dates =
    [
      "2012-11-01", "2012-11-30T23:30:00Z", "2012-12-31T23:30:00Z", "2012-12-31T23:30:00",
      "2013-01-01", "2012-12-30", "2012-12-31", "null", "2020-02-29T00:15:00+02:00",
      "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
    ].map(Value.init(literal:))
  /// The days of these are counted in a table.
  private static let nearDates =
    [
      "1969-12-31T23:59:59.9Z", "1970-01-01", "1969-02-28", "2012-11-30T23:30:00Z", "null",
      "2012-12-31T23:30:00-01:00", "2013-01-01", "2012-02-29", "2012-03-01", "2100-01-01",
    ].map(Value.init(literal:))

  /// Values, a table of them, and its rows in some order.
  private func sample(
    _ seed: Int, _ pool: [Value], keyed: NumericColumn.Kind?
  ) -> (values: [Value], rows: KeyedRows, order: [Int]) {
    var random = SplitMix64(seed: UInt64(seed))
    let values = (0..<random.below(120)).map { _ in random.one(of: pool) }
    let records = values.map { Value.record(Record([("x", $0)])) }
    let table: any Table = keyed.map { KeyedTable(values, kind: $0) } ?? ValueTable(records)
    var order = Array(values.indices)
    if seed.isMultiple(of: 3) { order.shuffle(using: &random) }
    if seed.isMultiple(of: 6) { order = Array(order.prefix(order.count / 2)) }
    let rows = KeyedRows(
      table, key: Self.key,
      order: seed.isMultiple(of: 3) ? .rows(order.map { UInt32($0) }) : .natural(values.count))
    return (values, rows, order)
  }

  @Test(arguments: 0..<60)
  func groupsHaveEqualKeys(seed: Int) throws {
    let numbers = (0..<9).map { Value.integer($0) } + [nil]
    let isKeyed = seed.isMultiple(of: 2)
    let (values, rows, order) = sample(
      seed, isKeyed ? numbers : Self.pool, keyed: isKeyed ? .integer : nil)
    var slow = SlowSections()
    for row in order { slow.add(row, to: values[row]) }
    var settings = SectionSettings()
    #expect(SlowSections(try SectionMode.groups.split(rows, settings)) == slow, "seed \(seed)")

    settings.order = GroupOrder(.count, direction: .descending)
    var bySize = slow
    bySize.sort { slow.rows[$0].count > slow.rows[$1].count }
    #expect(SlowSections(try SectionMode.groups.split(rows, settings)) == bySize, "seed \(seed)")

    settings.order = GroupOrder(.title)
    var byTitle = slow
    byTitle.sort { slow.titles[$0].ordered(before: slow.titles[$1]) }
    #expect(SlowSections(try SectionMode.groups.split(rows, settings)) == byTitle, "seed \(seed)")
  }

  @Test(arguments: 0..<60)
  func fixedSectionsHaveTheRowsOfTheirTitles(seed: Int) throws {
    let isKeyed = seed.isMultiple(of: 2)
    let numbers = (0..<9).map { Value.integer($0) } + [nil]
    let (values, rows, order) = sample(
      seed, isKeyed ? numbers : Self.pool, keyed: isKeyed ? .integer : nil)
    var settings = SectionSettings()
    settings.titles = ["x", 1, "é", "never", 7, nil]
    settings.other = seed.isMultiple(of: 5) ? "x" : "#"
    settings.showsEmpty = seed.isMultiple(of: 4)
    var slow = SlowSections()
    slow.titles = settings.titles
    slow.rows = settings.titles.map { _ in [] }
    for row in order {
      let isListed = !values[row].isNull && settings.titles.contains(values[row])
      slow.add(row, to: isListed ? values[row] : settings.other)
    }
    if !settings.showsEmpty {
      let kept = slow.titles.indices.filter { !slow.rows[$0].isEmpty }
      (slow.titles, slow.rows) = (kept.map { slow.titles[$0] }, kept.map { slow.rows[$0] })
    }
    let sectioned = try SectionMode.fixed.split(rows, settings)
    #expect(SlowSections(sectioned) == slow, "seed \(seed)")
    #expect(sectioned.sections.listed?.prefix(6).map(\.title) == settings.titles)
  }

  @Test(arguments: 0..<240)
  func dateSectionsAreTimeSpansInTheZone(seed: Int) throws {
    let written = ["Z", "+01:00", "-01:00", "+05:30"][seed / 2 % 4]
    let zone = [0, 3600, -3600, 5 * 3600 + 1800][seed / 2 % 4]
    var (values, rows, order) = sample(
      seed, seed % 5 < 2 ? Self.nearDates : Self.dates,
      keyed: seed.isMultiple(of: 2) ? .date : nil)
    if seed % 7 < 3 {
      // The sections follow from the sort.
      let descriptor = SortDescriptor(
        Self.key, direction: seed % 7 == 0 ? .descending : .ascending)
      let sorted = try rows.table.sortedRows(rows.order, by: [descriptor])
      rows = KeyedRows(rows.table, key: Self.key, rows: sorted)
      order = (0..<sorted.order.count).map { sorted.order[$0] }
    }
    var settings = SectionSettings()
    settings.zone = try Zone(parsing: written)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number.magnitude)
      let zeros = String(repeating: "0", count: max(0, width - digits.count))
      return (number < 0 ? "-" : "") + zeros + digits
    }
    let spans: [(SectionMode, (CivilTime) -> String)] = [
      (.year, { padded($0.year, 4) }), (.month, { padded($0.year, 4) + "-" + padded($0.month, 2) }),
      (
        .day,
        { [padded($0.year, 4), padded($0.month, 2), padded($0.day, 2)].joined(separator: "-") }
      ),
      (.week, { padded($0.weekYear, 4) + "-W" + padded($0.week, 2) }),
    ]
    for (mode, title) in spans {
      var slow = SlowSections()
      var times: [Int] = []
      for row in order {
        let date = values[row].timestamp
        let name = date.map { Value.string(title($0.civil(zone: zone))) } ?? .null
        if !slow.titles.contains(name) {
          times.append(date?.localSeconds(zone: settings.zone) ?? .max)
        }
        slow.add(row, to: name)
      }
      slow.sort { times[$0] < times[$1] }
      let sectioned = try mode.split(rows, settings)
      #expect(SlowSections(sectioned) == slow, "seed \(seed), \(mode.name)")
    }
  }

  @Test func strictReportsTheFirstRepeatedTitle() throws {
    let values: [Value] = ["b", "a", "c", "a", "b"]
    let table = ValueTable(values.map { .record(Record([("x", $0)])) })
    let rows = KeyedRows(table, key: Self.key, order: .natural(5))
    #expect(throws: TableError.sortMismatch(row: 3, title: "a")) {
      try SectionMode.strict.split(rows, SectionSettings())
    }
    let sorted = KeyedRows(table, key: Self.key, order: .rows([1, 3, 0, 4, 2]))
    #expect(
      try SectionMode.strict.split(sorted, SectionSettings()).sections.offsets == [0, 2, 4, 5])
  }

  @Test func withoutRowsOnlyListedSectionsExist() throws {
    let rows = KeyedRows(ValueTable([]), key: Self.key, order: .natural(0))
    var settings = SectionSettings()
    settings.titles = ["a", "b"]
    let counts = try SectionMode.all.map { try $0.split(rows, settings).sections.count }
    #expect(counts == [0, 0, 0, 2, 27, 0, 0, 0, 0])
  }

  @Test func rangesOfTitlesAreCharactersOrNumbers() throws {
    #expect(try SectionSettings.titles(ofRange: "A...C") == ["A", "B", "C"])
    #expect(try SectionSettings.titles(ofRange: "9...11") == [9, 10, 11])
    #expect(try SectionSettings.titles(ofRange: "AB...C") == nil)
    #expect(throws: TableError.self) { try SectionSettings.titles(ofRange: "1...9999999") }
    let whole = "\(Int.min)...\(Int.max)"
    #expect(throws: TableError.self) { try SectionSettings.titles(ofRange: whole) }
  }
}
