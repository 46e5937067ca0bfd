import Testing

@testable import DataTables

struct KeyFindingTests {
  private func findings(_ values: [Value], _ mode: SectionMode = .groups) throws -> [KeyFinding] {
    let table = ValueTable(values.map { .record(Record([("x", $0)])) })
    let rows = KeyedRows(table, key: ObjectKeyPath(key: "x"), order: .natural(values.count))
    let split = try mode.split(rows, SectionSettings())
    return KeyFinding.all(in: split.sections, isByValue: mode.isByValue)
  }

  @Test func equalOrDifferentValuesInAllRowsAreFound() throws {
    #expect(try findings(["a", "a", "a", "a", "a"]) == [.sameInAll("a")])
    #expect(try findings(["a", "b", "c", "d", "e"]) == [.differentInAll(example: "a")])
    #expect(try findings(["a", "b", "c", "d", "a"]) == [])
  }

  @Test func fewRowsAreNotUnusual() throws {
    #expect(try findings(["a", "b"]) == [])
    #expect(try findings(["a", "a"]) == [])
  }

  @Test func missingValuesAreCountedInAllSections() throws {
    #expect(try findings([nil, "a", nil, "a"], .runs) == [.nulls(2)])
    #expect(try findings(["2012-11-01", "soon", nil], .month) == [.undated(2)])
    #expect(try findings([nil, nil, nil, nil, nil]) == [.nulls(5)])
  }
}
