import Testing

@testable import DataTables

struct ValueCountsTests {
  private func counts(
    _ values: [Value], in order: RowOrder? = nil, limit: Int = 10
  ) throws -> [(value: Value, rows: Int)]? {
    let table = ValueTable(values.map { ["kind": $0] })
    return try table.valueCounts(
      of: ObjectKeyPath(key: "kind"), in: order ?? .natural(values.count), limit: limit)
  }

  @Test func frequentValuesAreFirst() throws {
    let found = try #require(try counts(["a", "b", .null, "b", "c", .null, "b"]))
    #expect(found.map(\.value) == ["b", .null, "a", "c"])
    #expect(found.map(\.rows) == [3, 2, 1, 1])
  }

  @Test func onlyTheRowsOfTheOrderCount() throws {
    let found = try #require(try counts(["a", "b", "b"], in: .rows([2, 0])))
    #expect(found.map(\.value) == ["b", "a"])
    #expect(found.map(\.rows) == [1, 1])
  }

  @Test func tooManyValuesAreNotCounted() throws {
    #expect(try counts([1, 2, 3], limit: 2) == nil)
    #expect(try counts([1, 2, 1], limit: 2)?.count == 2)
    #expect(try counts([], limit: 2)?.isEmpty == true)
  }
}
