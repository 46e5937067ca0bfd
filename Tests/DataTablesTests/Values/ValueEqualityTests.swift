import Testing

@testable import DataTables

@Suite struct ValueEqualityTests {
  @Test(arguments: [
    ("1", "1.0"), ("1.5", "1.50"), ("15e-1", "1.5"), ("100", "1E+2"), ("0", "-0.0e5"),
    ("9007199254740993", "9007199254740993.0"), ("1e400", "10e399"),
    ("2012-11-01", "2012-11-01T00:00:00Z"), ("2012-11-01 01:00+01", "2012-11-01"),
  ])
  func valuesWrittenDifferentlyAreEqualAndHaveEqualHashes(_ left: String, _ right: String) {
    #expect(Value(literal: left) == Value(literal: right))
    #expect(Value(literal: left).hashValue == Value(literal: right).hashValue)
    #expect(Value(literal: left).compare(Value(literal: right)) == .same)
  }

  @Test(arguments: [
    ("12345678901234567890", "12345678901234567891"), ("9007199254740992", "9007199254740993.0"),
    ("0.1", "0.10000000000000000001"), ("1e-400", "0"), ("1e400", "1e401"), ("1", "-1"),
    ("2012-11-01", "2012-11-01T00:00:00.000000001"), ("2012-11-01T00:00+01:00", "2012-11-01"),
  ])
  func differentValuesWithEqualDoublesOrSecondsAreUnequal(_ left: String, _ right: String) {
    #expect(Value(literal: left) != Value(literal: right))
    #expect(Value(literal: left).compare(Value(literal: right)) != .same)
  }

  @Test func stringsAreEqualByCanonicalEquivalence() {
    #expect(Value.string("é") == "e\u{301}")
    #expect(Value.string("é").hashValue == Value.string("e\u{301}").hashValue)
  }

  @Test func valuesOfDifferentTypesAreUnequal() {
    #expect(Value.integer(1) != "1")
    #expect(Value.integer(1) != true)
    #expect(Value(literal: "2012-11-01") != "2012-11-01")
    #expect(Value.null != .array([]))
  }

  @Test func theOrderOfKeysDoesNotMatter() {
    let left = Record([("a", 1), ("b", 2)])
    let right = Record([("b", 2), ("a", .real(Real(text: "1.0", value: 1)))])
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != Record([("a", 1), ("b", nil)]))
    #expect(left != Record([("a", 1)]))
    #expect(Record([("a", 1), ("b", nil)]) != Record([("a", 1)]))
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func equalityHashAndOrderObeyTheirLaws(seed: UInt64) {
    var samples = SampleValues(seed: seed)
    for _ in 0..<20_000 {
      let (first, second, third) = (samples.value(), samples.value(), samples.value())
      let ordering = first.compare(second)
      let isLawful =
        (ordering == .same) == (first == second)
        && second.compare(first) == ordering.reversed
        && (first != second || first.hashValue == second.hashValue)
        && (ordering == .after || second.compare(third) == .after
          || first.compare(third) != .after)
      if !isLawful { Issue.record("seed \(seed): \(first), \(second), \(third)") }
    }
  }
}
