import Testing

@testable import DataTables

struct RepeatedValuesTests {
  private func repeated(
    _ values: [Value], in order: RowOrder? = nil
  ) throws -> RepeatedValues? {
    let table = ValueTable(values.map { ["id": $0] })
    return try table.repeatedValues(
      of: ObjectKeyPath(key: "id"), in: order ?? .natural(values.count))
  }

  @Test func differentValuesRepeatNothing() throws {
    #expect(try repeated([1, 2, 3]) == nil)
    #expect(try repeated(["a", "A", 1, .null]) == nil)
    #expect(try repeated([]) == nil)
  }

  @Test func everyRowAfterTheFirstWithItsValueCounts() throws {
    let numbers = try #require(try repeated([7, 1_000_000, 7, 1_000_000, 7]))
    #expect(numbers.rows == 3)
    #expect(numbers.first == 7)
    #expect(numbers.position == 2)
    #expect(numbers.earlier == 0)
    let nulls = try #require(try repeated(["a", .null, "b", .null]))
    #expect(nulls.rows == 1)
    #expect(nulls.first == .null)
  }

  @Test func valuesThatAreWrittenDifferentlyAreEqual() throws {
    #expect(try repeated([1, .real(Real(text: "1.0", value: 1))])?.rows == 1)
    #expect(try repeated(["\u{E9}", "e\u{301}"])?.rows == 1)
  }

  @Test(arguments: [2, 999, 1_000, 1_001, 1_002, 150_000])
  func ascendingKeysDiffer(count: Int) {
    let keys = (0..<UInt64(count)).map { $0 * 3 }
    #expect(NumericKeys(keys).areStrictlyAscending)
    #expect(NumericKeys(keys.dropLast() + [NumericColumn.null]).areStrictlyAscending)
    for place in [0, count / 2 - 1, count - 2] {
      var equal = keys
      equal[place + 1] = equal[place]
      #expect(!NumericKeys(equal).areStrictlyAscending, "\(count), \(place)")
    }
  }

  @Test func noKeyAndOneKeyAreAscending() {
    for keys in [[], [7]] as [[UInt64]] { #expect(NumericKeys(keys).areStrictlyAscending) }
  }

  @Test func onlyTheRowsOfTheOrderCount() throws {
    #expect(try repeated([1, 2, 1], in: .rows([0, 1])) == nil)
    #expect(try repeated([1, 2, 1], in: .rows([2, 0]))?.rows == 1)
  }
}
