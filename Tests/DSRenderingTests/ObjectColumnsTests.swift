import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Testing

@Suite struct ObjectColumnsTests {
  private func listing(_ objects: [Value]) throws -> Output {
    let snapshot = try SimpleSource(objects).content
    return Output(
      .objects(ObjectListing(snapshot: snapshot, sections: 0..<1, showsPlaces: false)))
  }

  @Test func whatIsNoRecordHasAColumnOfItsOwn() async throws {
    let mixed = try listing([record(["a": 1]), "x", nil])
    #expect(try await text(mixed, in: CSVStyle()) == "a,value\n1,\n,x\n,\n")
    #expect(try await text(mixed) == "a  value\n1\n   x\n   null\n")
    #expect(
      try await text(mixed, in: MarkdownStyle())
        == "| a | value |\n| --: | --- |\n| 1 |  |\n|  | x |\n|  | null |\n\n")
    #expect(try await text(mixed, in: LineStyle()) == "a: 1\n\nvalue: x\n\nvalue: null\n\n")
  }

  @Test func theColumnIsNotTakenForAKey() async throws {
    let mixed = try listing([record(["value": 1]), 2])
    #expect(try await text(mixed, in: CSVStyle()) == "value,_value\n1,\n,2\n")
  }

  @Test func recordsAloneHaveTheirKeysOnly() async throws {
    #expect(try await text(try listing([record(["a": 1])]), in: CSVStyle()) == "a\n1\n")
  }
}
