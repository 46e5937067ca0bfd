import Testing

@testable import DataTables

struct RunsTests {
  private let x = ObjectKeyPath(key: "x")

  private func cut(_ values: [Value]) throws -> SectionCut {
    let table = ValueTable(values.map { .record(Record([("x", $0)])) })
    return try table.runs(of: x, in: .natural(values.count))
  }

  @Test func aSectionBeginsWhereTheKeyDiffers() throws {
    let cut = try cut(["first", "first", "second", "third"])
    #expect(cut.offsets == [0, 2, 3, 4])
    #expect(cut.titles == ["first", "second", "third"])
    #expect(cut.repeated.isEmpty)
  }

  @Test func aTitleThatComesAgainIsTold() throws {
    let cut = try cut(["beta", "alpha", "beta", nil, "beta", nil])
    #expect(cut.titles == ["beta", "alpha", "beta", nil, "beta", nil])
    #expect(cut.repeated.map(\.title) == ["beta", nil])
    #expect(cut.repeated.map(\.sections) == [[0, 2, 4], [3, 5]])
    #expect(cut.repeated.map(\.count) == [3, 2])
  }

  @Test func manySectionsOfATitleAreCountedButNotListed() throws {
    let cut = try cut((0..<100).map { .integer($0 % 2) })
    #expect(cut.repeated.map(\.count) == [50, 50])
    #expect(cut.repeated.map(\.sections.count) == [8, 8])
  }

  @Test func sectionsGoOnOverThePartsThatAreReadAtTheSameTime() throws {
    // Enough rows for several parts; one section is all the middle, another ends where a part may.
    let rows = 200_000
    let ends = [0, 1, 99_999, 100_000, 100_001, 199_999, rows]
    let codes = zip(ends, ends.dropFirst()).enumerated()
      .flatMap { [UInt16](repeating: UInt16($0), count: $1.1 - $1.0) }
    for order in [RowOrder.natural(rows), .rows((0..<UInt32(rows)).map { $0 })] {
      #expect(RowCodes.narrow(codes).starts(in: order, groups: nil) == ends)
    }
  }

  @Test func missingAndNullShareASection() throws {
    let rows: [Value] = [
      .record(Record([("x", "x")])), .record(Record([])), .record(Record([("x", nil)])),
      .record(Record([("x", "x")])),
    ]
    let cut = try ValueTable(rows).runs(of: x, in: .natural(4))
    #expect(cut.titles == ["x", nil, "x"])
    #expect(cut.offsets == [0, 1, 3, 4])
  }

  @Test func noRowsHaveNoSections() throws {
    let cut = try cut([])
    #expect(cut.offsets == [0] && cut.count == 0)
    #expect(SectionCut.whole(0).offsets == [0, 0])
  }

  @Test func equalValuesShareASectionTitledAsTheFirstIsWritten() throws {
    let cut = try cut(["1.50", "1.5", "2", "2.0"].map(Value.init(literal:)) + ["e\u{301}", "é"])
    #expect(cut.offsets == [0, 2, 4, 6])
    guard case .real(let title) = cut.titles[0] else {
      Issue.record("no real")
      return
    }
    #expect(title.text == "1.50")
  }

  @Test func numericKeysGiveTitlesAsWritten() throws {
    let table = KeyedTable(["1.50", "1.5", "null", "2"].map(Value.init(literal:)), kind: .real)
    let cut = try table.runs(of: x, in: .rows([3, 0, 1, 2]))
    #expect(cut.offsets == [0, 1, 3, 4])
    #expect(cut.titles == [2, Value(literal: "1.50"), nil])
    guard case .real(let title) = cut.titles[1] else { return }
    #expect(title.text == "1.50")
  }

  @Test func everyPositionHasItsSection() throws {
    let cut = try cut(["a", "a", "b", "c", "c", "c"])
    #expect((0..<6).map(cut.section(of:)) == [0, 0, 1, 2, 2, 2])
  }

  @Test(arguments: 0..<20)
  func runsEqualAComparisonOfNeighbours(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pool = ["1", "1.0", "1.00", "x", "é", "null", "2012-11-01", "true"].map(
      Value.init(literal:))
    let values = (0..<random.below(200)).map { _ in random.one(of: pool) } + ["e\u{301}"]
    let cut = try cut(values)
    let starts = values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }
    #expect(cut.offsets == starts + [values.count], "seed \(seed)")
    let titles = cut.titles
    let repeated = Set(titles).filter { title in titles.count { $0 == title } > 1 }
    #expect(Set(cut.repeated.map(\.title)) == repeated, "seed \(seed)")
  }
}
