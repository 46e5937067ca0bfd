import Testing

@testable import DataTables

@Suite struct ValueOrderingTests {
  @Test func mixedValuesAreOrderedByType() {
    let ascending: [Value] = [
      nil, false, true, Value(literal: "-1e400"), -2, Value(literal: "-1.5"), 0,
      Value(literal: "0.1"), 10, Value(literal: "1e1000"), "", "10", "9", "a", "z", "é",
      Value(literal: "1969-01-01"), Value(literal: "2012-11-01T00:00:00.5Z"),
      .data([]), .data([0]), .data([0, 1]), .data([1]),
      [], [nil], [1], [1, 1], [2],
      .record(Record([])), .record(Record([("a", 1)])), .record(Record([("b", 1), ("a", 1)])),
      .record(Record([("a", 2)])), .record(Record([("b", 0)])),
    ]
    for (index, value) in ascending.enumerated() {
      for (other, otherValue) in ascending.enumerated() {
        #expect(value.compare(otherValue) == Ordering(index, other), "\(value), \(otherValue)")
        #expect(value.ordered(before: otherValue) == (index < other))
      }
    }
  }

  @Test func bigNumbersAreOrderedByTheirDigits() {
    #expect(
      Value(literal: "12345678901234567890")
        .ordered(before: Value(literal: "12345678901234567891")))
    #expect(
      Value(literal: "-12345678901234567891")
        .ordered(before: Value(literal: "-12345678901234567890")))
    #expect(Value.integer(.max).ordered(before: Value(literal: "9223372036854775808")))
    #expect(
      Value.integer(9_007_199_254_740_993).ordered(before: Value(literal: "9007199254740993.5")))
  }

  @Test func stringsAreOrderedByTheirComposition() {
    // The scalars e, U+0301 come before f; the composed é comes after z.
    #expect(Value.string("z").ordered(before: "e\u{301}"))
  }
}
