import Testing

@testable import DataTables

@Suite struct PairedTextsTests {
  /// Enough different names that their column keeps bytes.
  private func content(replacing replaced: [Int: String]) throws -> SectionedTable {
    let lines = (0..<10_000).map { "\($0),\(replaced[$0] ?? "name \($0)")" }
    let text = "id,name\n" + lines.joined(separator: "\n") + "\n"
    let table = try TableFormats.read(MemoryBytes(Array(text.utf8)), named: "rows.csv").table
    let column = try table.column(ObjectKeyPath(key: "name"), cancellation: Cancellation())
    try #require(PairedTexts([column, column]) != nil)
    return SectionedTable(
      table: table, order: .natural(table.count), sections: .whole(table.count))
  }

  @Test func onlyUnequalTextsOfManyAreUpdates() throws {
    let old = try content(replacing: [3: "caf\u{E9}", 5: "", 6: "", 9: "Zo\u{EB}"])
    let new = try content(
      replacing: [3: "cafe\u{301}", 5: "", 7: "", 8: "name", 9: "Zoe", 9_999: "name 09999"])
    // Canonically equivalent texts (3) are equal, as are two nulls (5).
    let expected = [6, 7, 8, 9, 9_999].map { Change.update(from: at(0, $0), to: at(0, $0)) }
    #expect(try old.changes(to: new, id: ObjectKeyPath(key: "id")) == expected)
  }
}
