import Testing

@testable import DataTables

@Suite struct NearNamesTests {
  @Test func swappedCharactersAreOneMistake() {
    #expect(NearNames.distance(Array("abcd"), Array("abdc")) == 1)
    #expect(NearNames.distance(Array("kitten"), Array("sitting")) == 3)
    #expect(NearNames.distance([], Array("ab")) == 2)
  }

  @Test func namesAreOrderedByTheirDistance() {
    #expect(NearNames.order(of: ["meta", "items", "ITEM", "links"], from: "itms") == [1, 2, 3, 0])
    #expect(NearNames.order(of: [], from: "x").isEmpty)
    let long = String(repeating: "x", count: 100_000)
    #expect(NearNames.order(of: [long, "a"], from: long) == [0, 1])
  }
}
