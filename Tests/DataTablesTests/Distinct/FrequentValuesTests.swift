import Testing

@testable import DataTables

@Suite struct FrequentValuesTests {
  private let path = ObjectKeyPath(key: "k")

  private func found(
    _ values: [Value], in order: RowOrder? = nil
  ) throws -> FrequentValues {
    let table = ValueTable(values.map { ["k": $0] })
    let column = try table.column(path, cancellation: Cancellation())
    return FrequentValues(of: column, in: order ?? .natural(values.count))
  }

  @Test func frequentValuesAreFirst() throws {
    let found = try found(["a", "b", .null, "b", "c", .null, "b"])
    #expect(found.values.map(\.value) == ["b", "a", "c"])
    #expect(found.values.map(\.rows) == [3, 1, 1])
    #expect(found.isExact)
    #expect(try self.found(["a", "b", "b"], in: .rows([0])).values.map(\.value) == ["a"])
    #expect(try self.found([]).values.isEmpty)
  }

  @Test func equalValuesCountTogether() throws {
    let found = try found([Value(literal: "1.50"), Value(literal: "1.5"), 2])
    #expect(found.values.map(\.rows) == [2, 1])
    let several = try self.found(
      ["1.50", "2", "2", "1.5", "1.500", "3"].map { Value(literal: $0) })
    #expect(several.values.map(\.value) == [Value(literal: "1.5"), 2, 3])
    #expect(several.values.map(\.rows) == [3, 2, 1])
  }

  @Test func manyRowsAreSampled() throws {
    let few = try found((0..<100_000).map { .integer($0 % 4 == 0 ? 1 : 0) })
    #expect(!few.isExact)
    #expect(few.values.map(\.value) == [0, 1])
    let distinct = try found((0..<100_000).map { .integer($0 * 7) })
    #expect(distinct.values.count == FrequentValues.maximum)
    #expect(!distinct.isExact)
    let texts = try found((0..<20_000).map { .string("text \($0)") })
    #expect(texts.values.count == FrequentValues.maximum)
  }

  @Test func elementsOfArraysCount() {
    let objects: [Value] = [["k": ["a", "b"]], ["k": ["b", .null]], ["k": .null], ["k": "c"]]
    let found = FrequentValues(of: path, in: objects, isExact: true)
    #expect(found.values.map(\.value) == ["b", "a", "c"])
    #expect(found.values.map(\.rows) == [2, 1, 1])
  }

  @Test func onlyDecodedColumnsAreReturned() throws {
    let table = ValueTable([["k": 1]])
    #expect(table.decodedColumn(path) == nil)
    _ = try table.column(path, cancellation: Cancellation())
    #expect(table.decodedColumn(path) != nil)
  }
}
