import Testing

@testable import DataTables

struct SortingTests {
  private func table(_ values: [Value]) -> ValueTable {
    ValueTable(values.map { .record(Record([("x", $0)])) })
  }

  private func sorted(
    _ values: [Value], _ direction: SortDescriptor.Direction = .ascending,
    _ comparison: SortDescriptor.Comparison = .compare, nulls: SortDescriptor.Nulls? = nil
  ) throws -> [Value] {
    let table = table(values)
    let order = try table.sorted(
      .natural(values.count),
      by: [
        SortDescriptor(
          ObjectKeyPath(key: "x"), direction: direction, comparison: comparison, nulls: nulls)
      ])
    return (0..<order.count).map { values[order[$0]] }
  }

  @Test func compareOrdersStringsByScalarsAndNumbersByValue() throws {
    #expect(try sorted(["10", "9", "2"]) == ["10", "2", "9"])
    #expect(try sorted([10, 9, 2]) == [2, 9, 10])
    #expect(try sorted(["z", "e\u{301}", "ez", "É", "f"]) == ["ez", "f", "z", "É", "é"])
  }

  @Test func numericOrdersDigitsByValue() throws {
    #expect(
      try sorted(["file10", "file9", "file", "9", "10", "fil9z"], .ascending, .numeric)
        == ["9", "10", "fil9z", "file", "file9", "file10"])
    #expect(
      try sorted(["v1.10", "v1.9", "v01.9x", 3], .ascending, .numeric)
        == [3, "v1.9", "v01.9x", "v1.10"])
    let long = String(repeating: "9", count: 50)
    #expect(
      try sorted([.string(long + "0"), .string(long)], .ascending, .numeric).first == .string(long))
  }

  @Test func caseInsensitiveTiesKeepTheirOrder() throws {
    #expect(
      try sorted(["b", "Ä", "A", "a", "ä", "B"], .ascending, .caseInsensitive)
        == ["A", "a", "b", "B", "Ä", "ä"])
    #expect(
      try sorted(["b", "A", "a", "B"], .descending, .caseInsensitive) == ["b", "B", "A", "a"])
  }

  @Test func mixedTypesAreOrderedByType() throws {
    let values: [Value] = [
      .record(Record([])), [1], .data([1]), Value(literal: "2012-11-01"), "x", 1, true, nil, false,
    ]
    #expect(try sorted(values).map(\.type).map(\.rawValue) == [0, 1, 1, 2, 3, 4, 5, 6, 7])
    #expect(try sorted(values)[1] == false)
  }

  @Test func nullsAreFirstIfAscendingAndLastIfDescending() throws {
    let values: [Value] = [2, nil, 1]
    #expect(try sorted(values) == [nil, 1, 2])
    #expect(try sorted(values, .descending) == [2, 1, nil])
    #expect(try sorted(values, nulls: .last) == [1, 2, nil])
    #expect(try sorted(values, .descending, nulls: .first) == [nil, 2, 1])
  }

  @Test func tiesAreInInputOrder() throws {
    let rows: [[(String, Value)]] = [
      [("category", "b"), ("price", 3), ("n", 0)], [("category", "a"), ("n", 1)],
      [("category", "a"), ("price", 5), ("n", 2)], [("category", "a"), ("price", 9), ("n", 3)],
      [("category", "a"), ("price", 5), ("n", 4)],
    ]
    let table = ValueTable(rows.map { .record(Record($0)) })
    func sorted(_ direction: SortDescriptor.Direction) throws -> [Int] {
      let order = try table.sorted(
        .natural(5),
        by: [
          SortDescriptor(ObjectKeyPath(key: "category")),
          SortDescriptor(ObjectKeyPath(key: "price"), direction: direction),
        ])
      return (0..<5).map { order[$0] }
    }
    #expect(try sorted(.descending) == [3, 2, 4, 1, 0])
    #expect(try sorted(.ascending) == [1, 2, 4, 3, 0])
  }

  @Test func someRowsInAnOrderAreSorted() throws {
    let table = table([3, 1, 2, 1])
    let order = try table.sorted(
      .rows([3, 2, 1]), by: [SortDescriptor(ObjectKeyPath(key: "x"))])
    #expect((0..<3).map { order[$0] } == [3, 1, 2])
  }

  @Test func anUnknownKeyIsAnErrorEvenForOneRow() {
    #expect(throws: TableError.unknownKey("y", known: ["x"])) {
      try table([1]).sorted(.natural(1), by: [SortDescriptor(ObjectKeyPath(key: "y"))])
    }
  }

  @Test func aCanceledSortThrows() {
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: TableError.cancelled) {
      try table([2, 1]).sorted(
        .natural(2), by: [SortDescriptor(ObjectKeyPath(key: "x"))], cancellation: cancellation)
    }
  }

  @Test func theDescriptionOfADescriptorIsItsTypedForm() throws {
    let path = try ObjectKeyPath(parsing: "\"unit price\".rounded")
    #expect(
      SortDescriptor(path, direction: .descending, comparison: .numeric).description
        == "\"unit price\".rounded desc numeric")
    #expect(SortDescriptor(ObjectKeyPath(key: "name")).description == "name")
  }
}
