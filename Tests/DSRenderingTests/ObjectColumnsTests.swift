import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Testing

@Suite struct ObjectColumnsTests {
  private func listing(_ objects: [Value]) throws -> Output {
    let snapshot = try SimpleSource(objects).content
    return Output(
      .objects(ObjectListing(snapshot: snapshot, sections: 0..<1, showsIndexPaths: false)))
  }

  @Test func objectsThatAreNotRecordsHaveTheirOwnColumn() async throws {
    let mixed = try listing([record(["a": 1]), "x", nil])
    #expect(try await text(mixed, in: CSVStyle()) == "a,value\n1,\n,x\n,\n")
    #expect(try await text(mixed) == "a  value\n1\n   x\n   null\n")
    #expect(
      try await text(mixed, in: MarkdownStyle())
        == "| a | value |\n| --: | --- |\n| 1 |  |\n|  | x |\n|  | null |\n\n")
    #expect(try await text(mixed, in: LineStyle()) == "a: 1\n\nvalue: x\n\nvalue: null\n\n")
  }

  @Test func theNameOfTheColumnDiffersFromAllKeys() async throws {
    let mixed = try listing([record(["value": 1]), 2])
    #expect(try await text(mixed, in: CSVStyle()) == "value,_value\n1,\n,2\n")
  }

  @Test func recordsHaveOnlyTheColumnsOfTheirKeys() async throws {
    #expect(try await text(try listing([record(["a": 1])]), in: CSVStyle()) == "a\n1\n")
  }
}

@Suite struct NoRowsTests {
  @Test func withoutRowsProgramsReceiveAHeaderAndPeopleAMessage() async throws {
    let grid = Grid(
      columns: [Grid.Column("number"), Grid.Column("event")], rows: [], hidesHeader: true,
      placeholder: "q: no fetch yet")
    let output = Output(.grid(grid))
    #expect(try await text(output, in: CSVStyle()) == "number,event\n")
    #expect(try await text(output, in: JSONStyle()) == "[]\n")
    #expect(try await text(output) == "q: no fetch yet\n")
    #expect(try await text(output, in: MarkdownStyle()) == "q: no fetch yet\n\n")
    #expect(try await text(output, in: LineStyle()) == "q: no fetch yet\n\n")
  }

  @Test func objectsWithoutKeysHaveAColumnOfValues() async throws {
    #expect(try await text(Output(.object(record([:]))), in: CSVStyle()) == "value\n{}\n")
    #expect(try await text(Output(.text([], data: [])), in: CSVStyle()) == "value\n")
  }
}
