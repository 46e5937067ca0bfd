import Glibc

// Functions of numbers.
extension ValueFunction {
  static let numberFunctions: [ValueFunction] =
    ArithmeticOperator.allCases.map { ValueFunction($0) } + [
      number("abs:", "the number without its sign") { value throws(ComputationError) in
        value.ordered(before: 0) ? try ArithmeticOperator.subtract.apply(0, value) : value
      },
      whole("ceiling:", "the nearest integer at or above", .up),
      whole("floor:", "the nearest integer at or below", .down),
      whole("trunc:", "the integer part", .towardZero),
      real("sqrt:", "the square root") { $0 < 0 ? nil : $0.squareRoot() },
      real("exp:", "e to the power of the number") { Glibc.exp($0) },
      real("ln:", "the natural logarithm") { $0 <= 0 ? nil : Glibc.log($0) },
      real("log:", "the logarithm to base 10") { $0 <= 0 ? nil : Glibc.log10($0) },
      ValueFunction(
        name: "raise:toPower:", summary: "a to the power of b; also a ** b", arity: .exactly(2),
        body: .values { values throws(ComputationError) in try power(values[0], values[1]) }),
      bits("bitwiseAnd:with:", "a and b, bit by bit", &),
      bits("bitwiseOr:with:", "a or b, bit by bit", |),
      bits("bitwiseXor:with:", "either a or b, bit by bit", ^),
      bits("leftshift:by:", "a shifted b bits to the left") { $0 << $1 },
      bits("rightshift:by:", "a shifted b bits to the right") { $0 >> $1 },
      number("onesComplement:", "the integer with all bits inverted") {
        value throws(ComputationError) in .integer(~(try integer(value)))
      },
    ]

  private static func number(
    _ name: String, _ summary: String,
    _ function: @escaping @Sendable (Value) throws(ComputationError) -> Value
  ) -> ValueFunction {
    ValueFunction(
      name: name, summary: summary, arity: .exactly(1),
      body: .values { values throws(ComputationError) in
        guard values[0].type == .number else { throw .notNumber(values[0]) }
        return try function(values[0])
      })
  }

  private static func whole(
    _ name: String, _ summary: String, _ rule: FloatingPointRoundingRule
  ) -> ValueFunction {
    number(name, summary) { value throws(ComputationError) in
      if case .integer = value { return value }
      if let decimal = DecimalNumber(value) { return try decimal.rounded(rule).value }
      return try .number((value.double ?? .nan).rounded(rule), from: [value])
    }
  }

  /// - Parameter function: returns nil for a number without a value.
  private static func real(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (Double) -> Double?
  ) -> ValueFunction {
    number(name, summary) { value throws(ComputationError) in
      guard let result = function(value.double ?? .nan) else {
        throw .undefined("`\(name)` has no value for \(value.excerpt)")
      }
      return try .number(result, from: [value])
    }
  }

  private static func power(_ base: Value, _ exponent: Value) throws(ComputationError) -> Value {
    for value in [base, exponent] where value.type != .number { throw .notNumber(value) }
    if case .integer(let count) = exponent, (0...64).contains(count) {
      var result: Value = 1
      for _ in 0..<count { result = try ArithmeticOperator.multiply.apply(result, base) }
      return result
    }
    guard let first = base.double, let second = exponent.double else { return .null }
    let result = Glibc.pow(first, second)
    if result.isNaN, !first.isNaN, !second.isNaN {
      throw .undefined("\(base.excerpt) has no power \(exponent.excerpt)")
    }
    if first == 0, second < 0 { throw .divisionByZero }
    return try .number(result, from: [base, exponent])
  }

  private static func bits(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (Int, Int) -> Int
  ) -> ValueFunction {
    ValueFunction(
      name: name, summary: summary, arity: .exactly(2),
      body: .values { values throws(ComputationError) in
        .integer(function(try integer(values[0]), try integer(values[1])))
      })
  }

  static func integer(_ value: Value) throws(ComputationError) -> Int {
    switch value {
    case .integer(let integer): return integer
    case .real(let real):
      guard let integer = real.integer else { throw .notInteger(value) }
      return integer
    default: throw .notNumber(value)
    }
  }
}

extension Real {
  /// The number as an integer, if it is one of 64 bits.
  var integer: Int? { isFinite ? ExactDecimal(number).integer : nil }
}
