import TestSupport
import Testing

@testable import DataTables

struct RunsTests {
  private let x = ObjectKeyPath(key: "x")

  private func runs(_ values: [Value]) throws -> Sections {
    let table = ValueTable(values.map { .record(Record([("x", $0)])) })
    return try table.runs(of: x, in: .natural(values.count))
  }

  @Test func aSectionStartsWhereTheKeyChanges() throws {
    let runs = try self.runs(["first", "first", "second", "third"])
    #expect(runs.offsets == [0, 2, 3, 4])
    #expect(runs.titles == ["first", "second", "third"])
    #expect(runs.repeated.isEmpty)
  }

  @Test func repeatedTitlesAreListed() throws {
    let runs = try self.runs(["beta", "alpha", "beta", nil, "beta", nil])
    #expect(runs.titles == ["beta", "alpha", "beta", nil, "beta", nil])
    #expect(runs.repeated.map(\.title) == ["beta", nil])
    #expect(runs.repeated.map(\.sections) == [[0, 2, 4], [3, 5]])
    #expect(runs.repeated.map(\.count) == [3, 2])
  }

  @Test func manySectionsOfATitleAreCountedButNotAllListed() throws {
    let runs = try self.runs((0..<100).map { .integer($0 % 2) })
    #expect(runs.repeated.map(\.count) == [50, 50])
    #expect(runs.repeated.map(\.sections.count) == [8, 8])
  }

  @Test func sectionsContinueAcrossPartsThatAreReadConcurrently() throws {
    // Enough rows for several parts. One section covers the whole middle; another ends near the end
    // of a part.
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
    let runs = try ValueTable(rows).runs(of: x, in: .natural(4))
    #expect(runs.titles == ["x", nil, "x"])
    #expect(runs.offsets == [0, 1, 3, 4])
  }

  @Test func withoutRowsTheResultHasNoSections() throws {
    let runs = try self.runs([])
    #expect(runs.offsets == [0] && runs.count == 0)
    #expect(Sections.whole(0).offsets == [0, 0])
  }

  @Test func equalValuesShareASectionTitledLikeTheFirst() throws {
    let runs = try self.runs(
      ["1.50", "1.5", "2", "2.0"].map(Value.init(literal:)) + ["e\u{301}", "é"])
    #expect(runs.offsets == [0, 2, 4, 6])
    guard case .real(let title) = runs.titles[0] else {
      Issue.record("expected a real number")
      return
    }
    #expect(title.text == "1.50")
  }

  @Test func titlesOfNumericKeysAreAsWritten() throws {
    let table = KeyedTable(["1.50", "1.5", "null", "2"].map(Value.init(literal:)), kind: .real)
    let runs = try table.runs(of: x, in: .rows([3, 0, 1, 2]))
    #expect(runs.offsets == [0, 1, 3, 4])
    #expect(runs.titles == [2, Value(literal: "1.50"), nil])
    guard case .real(let title) = runs.titles[1] else { return }
    #expect(title.text == "1.50")
  }

  @Test func everyPositionHasASection() throws {
    let runs = try self.runs(["a", "a", "b", "c", "c", "c"])
    #expect((0..<6).map(runs.section(of:)) == [0, 0, 1, 2, 2, 2])
  }

  @Test(arguments: 0..<20)
  func runsEqualAComparisonOfNeighbors(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pool = ["1", "1.0", "1.00", "x", "é", "null", "2012-11-01", "true"].map(
      Value.init(literal:))
    let values = (0..<random.below(200)).map { _ in random.one(of: pool) } + ["e\u{301}"]
    let runs = try self.runs(values)
    let starts = values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }
    #expect(runs.offsets == starts + [values.count], "seed \(seed)")
    let titles = runs.titles
    let repeated = Set(titles).filter { title in titles.count { $0 == title } > 1 }
    #expect(Set(runs.repeated.map(\.title)) == repeated, "seed \(seed)")
  }
}
