import TestSupport

@testable import DataTables

/// Random values from a small pool, so that equal ones are frequent.
struct SampleValues {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let numbers = [
    "0", "-0", "0.0", "1", "1.0", "1.50", "1.5", "15e-1", "10", "1e1", "-1", "-1.0e0",
    "9007199254740992", "9007199254740993", "9007199254740993.0", "9223372036854775807",
    "9223372036854775807.0", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775808.0", "12345678901234567890", "12345678901234567891",
    "1.2345678901234567890e19", "1e400", "10e399", "1e-400", "0.1", "0.10000000000000000001",
  ]
  private static let dates = [
    "2012-11-01", "2012-11-01T00:00:00Z", "2012-11-01T01:00+01:00", "2012-11-01 00:00:00.5",
    "2012-11-01T00:00:00.500000000Z", "2012-10-31", "1969-12-31T23:59:59.1Z",
  ]
  private static let strings = ["", "a", "b", "é", "e\u{301}", "z", "10", "😀", "\u{FF21}"]

  mutating func number() -> Value { Value(literal: random.one(of: Self.numbers)) }

  mutating func value(depth: Int = 2) -> Value {
    switch random.below(depth > 0 ? 9 : 6) {
    case 0: .null
    case 1: .bool(random.below(2) == 0)
    case 2, 3: number()
    case 4: .string(random.one(of: Self.strings))
    case 5: Value(literal: random.one(of: Self.dates))
    case 6: .data((0..<random.below(3)).map { _ in UInt8(random.below(2)) })
    case 7: .array((0..<random.below(3)).map { _ in value(depth: depth - 1) })
    default: record(depth: depth - 1)
    }
  }

  private mutating func record(depth: Int) -> Value {
    var keys = ["é", "b", "c"]
    if random.below(2) == 0 { keys = ["c", "e\u{301}", "b"] }
    return .record(Record(keys.prefix(random.below(4)).map { ($0, value(depth: depth)) }))
  }
}
