/// An operator between two numbers.
///
/// Decimals are computed exactly: 0.1 + 0.2 is 0.3. A quotient whose decimals do not end, and a
/// result of more than 100 digits, are rounded to the nearest double.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  /// The remainder of a division toward zero; it has the sign of the left side.
  case remainder = "%"

  /// The result for two numbers; null if one of the values is null.
  ///
  /// - Throws: ``ComputationError`` for a value that is not a number, for a division by zero, and
  ///   for a result that is too large.
  public func apply(_ left: Value, _ right: Value) throws(ComputationError) -> Value {
    if left.isNull || right.isNull { return .null }
    for value in [left, right] where value.type != .number { throw .notNumber(value) }
    if case .integer(let left) = left, case .integer(let right) = right,
      let result = try integer(left, right)
    {
      return .integer(result)
    }
    guard let first = DecimalNumber(left), let second = DecimalNumber(right) else {
      return try approximate(left, right)
    }
    let result =
      switch self {
      case .add: first.adding(second)
      case .subtract: first.adding(second.negated)
      case .multiply: first.multiplied(by: second)
      case .divide: try first.divided(by: second)
      case .remainder: try first.remainder(dividingBy: second)
      }
    guard let result else { return try approximate(left, right) }
    return try result.value
  }

  /// The result as an integer; nil if it is not one or does not fit.
  private func integer(_ left: Int, _ right: Int) throws(ComputationError) -> Int? {
    let (result, overflow): (Int, Bool)
    switch self {
    case .add: (result, overflow) = left.addingReportingOverflow(right)
    case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
    case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
    case .divide:
      if right == 0 { throw .divisionByZero }
      guard right != -1, left.isMultiple(of: right) else { return nil }
      return left / right
    case .remainder:
      if right == 0 { throw .divisionByZero }
      return right == -1 ? 0 : left % right
    }
    return overflow ? nil : result
  }

  /// The result in doubles: for NaN, infinities and numbers of many digits.
  private func approximate(_ left: Value, _ right: Value) throws(ComputationError) -> Value {
    guard let first = left.double, let second = right.double else { return .null }
    let result: Double
    switch self {
    case .add: result = first + second
    case .subtract: result = first - second
    case .multiply: result = first * second
    case .divide:
      if second == 0 { throw .divisionByZero }
      result = first / second
    case .remainder:
      if second == 0 { throw .divisionByZero }
      result = first.truncatingRemainder(dividingBy: second)
    }
    return try .number(result, from: [left, right])
  }
}

/// The reason why a computation has no result.
public enum ComputationError: Error, Equatable {
  case notNumber(Value)
  case notString(Value)
  case notList(Value)
  case notInteger(Value)
  case divisionByZero
  case tooLarge
  /// `the square root of -1 is not a number`
  case undefined(String)
  case unknownType(String)
  case notConvertible(Value, to: String)

  public var message: String {
    switch self {
    case .notNumber(let value): "\(value.excerpt) is \(value.type.phrase), not a number"
    case .notString(let value): "\(value.excerpt) is \(value.type.phrase), not a string"
    case .notList(let value): "expected a list such as `{1, 2}`, not \(value.excerpt)"
    case .notInteger(let value): "\(value.excerpt) is not a 64-bit integer"
    case .divisionByZero: "division by zero"
    case .tooLarge: "the result is too large for a number"
    case .undefined(let message): message
    case .unknownType(let name):
      "unknown type `\(name)`; write 'NSNumber', 'NSString' or 'NSDate'"
    case .notConvertible(let value, let type): "\(value.excerpt) cannot be converted to \(type)"
    }
  }
}

extension Value {
  /// The nearest double of a number; nil for a value of another type.
  var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real.value
    default: nil
    }
  }

  /// The value of a double, an integer if it is whole.
  ///
  /// - Parameter arguments: the numbers that it was computed from. Without NaN or an infinity among
  ///   them, the result must be finite.
  static func number(
    _ double: Double, from arguments: [Value]
  ) throws(ComputationError) -> Value {
    if double.isFinite { return DecimalSum.value(of: double) }
    let isExpected = arguments.contains {
      if case .real(let real) = $0 { !real.isFinite } else { false }
    }
    guard isExpected else { throw .tooLarge }
    return .real(Real(double))
  }
}
