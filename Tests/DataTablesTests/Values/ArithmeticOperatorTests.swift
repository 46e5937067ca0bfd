import TestSupport
import Testing

@testable import DataTables

@Suite struct ArithmeticOperatorTests {
  private static let places: Int128 = 10_000

  /// A number in units of 1 / 10000, as a decimal with trailing zeros.
  private static func value(_ units: Int128) -> Value {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return Value(
      literal: (units < 0 ? "-" : "") + padded.dropLast(4) + "." + padded.suffix(4))
  }

  /// Whether `value` is `numerator / denominator`.
  private static func equals(_ value: Value, _ numerator: Int128, _ denominator: Int128) -> Bool {
    let written = value.json.split(separator: "e")
    let parts = written[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : ""
    let exponent = written.count > 1 ? Int(written[1]) ?? 0 : 0
    guard exponent <= 0, let units = Int128(parts[0] + fraction) else { return false }
    var scale: Int128 = 1
    for _ in 0..<(fraction.count - exponent) { scale *= 10 }
    return units * denominator == numerator * scale
  }

  @Test(arguments: 0..<30)
  func decimalsAreExact(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<300 {
      let limit = [10, 1_000, 100_000_000][random.below(3)]
      let (a, b) = (
        Int128(random.below(2 * limit) - limit), Int128(random.below(2 * limit) - limit)
      )
      let (left, right) = (Self.value(a), Self.value(b))
      let note: Comment = "seed \(seed): \(left.json), \(right.json)"
      #expect(Self.equals(try ArithmeticOperator.add.apply(left, right), a + b, Self.places), note)
      #expect(
        Self.equals(try ArithmeticOperator.subtract.apply(left, right), a - b, Self.places), note)
      #expect(
        Self.equals(
          try ArithmeticOperator.multiply.apply(left, right), a * b, Self.places * Self.places),
        note)
      if b != 0 {
        #expect(
          Self.equals(try ArithmeticOperator.remainder.apply(left, right), a % b, Self.places), note
        )
        let quotient = try #require(try ArithmeticOperator.divide.apply(left, right).double)
        #expect(abs(quotient - Double(a) / Double(b)) <= quotient.magnitude * 1e-15, note)
      }
    }
  }

  @Test(arguments: [
    ("9223372036854775807", "+", "1", "9223372036854775808"),
    ("-9223372036854775808", "-", "1", "-9223372036854775809"),
    ("9223372036854775807", "*", "9223372036854775807", "85070591730234615847396907784232501249"),
    ("-9223372036854775808", "/", "-1", "9223372036854775808"),
    ("-9223372036854775808", "%", "-1", "0"), ("7", "/", "2", "3.5"), ("6", "/", "3", "2"),
    ("1", "/", "3", "0.3333333333333333"), ("0.3", "/", "0.1", "3"), ("-7", "%", "3", "-1"),
    ("1e-3", "+", "1", "1.001"), ("1e400", "*", "10", "1e401"), ("1.0", "*", "1.0", "1"),
    ("1e30", "-", "1e30", "0"), ("0.1", "+", "0.2", "0.3"), ("2.50", "-", "2.5", "0"),
    ("1e22", "+", "0", "1e22"), ("1e-7", "*", "1", "1e-7"), ("null", "+", "1", "null"),
  ])
  func numbersKeepTheirDigits(left: String, sign: String, right: String, expected: String) throws {
    let operation = try #require(ArithmeticOperator(rawValue: sign))
    let result = try operation.apply(Value(literal: left), Value(literal: right))
    #expect(result.json == expected)
  }

  @Test func operationsWithoutAResultFail() {
    for operation in [ArithmeticOperator.divide, .remainder] {
      for zero in [0, Value(literal: "0.0"), Value(literal: "-0")] {
        #expect(throws: ComputationError.divisionByZero) { try operation.apply(1, zero) }
        #expect(throws: ComputationError.divisionByZero) {
          try operation.apply(Value(literal: "1.5"), zero)
        }
      }
    }
    #expect(throws: ComputationError.notNumber("a")) {
      try ArithmeticOperator.add.apply("a", 1)
    }
    #expect(throws: ComputationError.notNumber(true)) {
      try ArithmeticOperator.add.apply(1, true)
    }
    #expect(throws: ComputationError.tooLarge) {
      try ArithmeticOperator.multiply.apply(
        Value(literal: "1e1000000"), Value(literal: "1e1000000"))
    }
  }

  @Test func numbersWithManyDigitsAreRounded() throws {
    let long = Value(literal: "1." + String(repeating: "3", count: 5_000))
    let sum = try ArithmeticOperator.add.apply(long, 1)
    #expect(abs((sum.double ?? 0) - 7.0 / 3) < 1e-15)
    let far = try ArithmeticOperator.add.apply(
      Value(literal: "1e300"), Value(literal: "1e-300"))
    #expect(far.double == 1e300)
    let infinity = Value.real(Real(.infinity))
    #expect(try ArithmeticOperator.add.apply(infinity, 1) == infinity)
    #expect(try ArithmeticOperator.subtract.apply(infinity, infinity).double?.isNaN == true)
  }
}
