/// A decimal number for exact arithmetic: `digits * 10^exponent`.
struct DecimalNumber {
  /// Beyond these limits, doubles are used: the time of exact arithmetic depends on the digits.
  private static let maxDigits = 100
  private static let maxExponent = 1_000_000
  /// The most digits of a quotient that is returned exactly.
  private static let digitsOfQuotient = 34

  private var isNegative: Bool
  /// Digits 0...9, most significant first, the first not 0. Zero has no digits.
  private var digits: [UInt8]
  private var exponent: Int

  /// nil for a value that is not a finite number of up to 100 digits.
  init?(_ value: Value) {
    let text: String
    switch value {
    case .integer(let integer): text = String(integer)
    case .real(let real):
      guard real.isFinite, real.number.utf8.count <= 2 * Self.maxDigits else { return nil }
      text = real.number
    default: return nil
    }
    let decimal = ExactDecimal(text)
    guard decimal.digits.count <= Self.maxDigits, decimal.exponent.magnitude <= Self.maxExponent
    else { return nil }
    self.init(decimal.isNegative, decimal.digits, decimal.exponent - decimal.digits.count)
  }

  private init(_ isNegative: Bool, _ digits: some Sequence<UInt8>, _ exponent: Int) {
    self.isNegative = isNegative
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = exponent
    let zeros = self.digits.reversed().prefix { $0 == 0 }.count
    self.digits.removeLast(zeros)
    self.exponent += zeros
    if self.digits.isEmpty { (self.isNegative, self.exponent) = (false, 0) }
  }

  var negated: DecimalNumber { DecimalNumber(!isNegative, digits, exponent) }

  /// nil if the sum would have too many digits.
  func adding(_ other: DecimalNumber) -> DecimalNumber? {
    guard let (left, right, exponent) = aligned(with: other) else { return nil }
    if isNegative == other.isNegative {
      return DecimalNumber(isNegative, Self.sum(left, right), exponent)
    }
    let isLess = left.lexicographicallyPrecedes(right)
    let difference = isLess ? Self.difference(right, left) : Self.difference(left, right)
    return DecimalNumber(isLess ? other.isNegative : isNegative, difference, exponent)
  }

  /// nil if the product would have too many digits.
  func multiplied(by other: DecimalNumber) -> DecimalNumber? {
    guard digits.count + other.digits.count <= Self.maxDigits else { return nil }
    var product = [Int](repeating: 0, count: digits.count + other.digits.count)
    for (place, digit) in digits.enumerated() {
      for (offset, factor) in other.digits.enumerated() {
        product[place + offset + 1] += Int(digit) * Int(factor)
      }
    }
    for place in product.indices.dropFirst().reversed() {
      product[place - 1] += product[place] / 10
      product[place] %= 10
    }
    return DecimalNumber(
      isNegative != other.isNegative, product.map { UInt8($0) }, exponent + other.exponent)
  }

  /// The quotient: exact if its digits end early enough, else the nearest double.
  func divided(by other: DecimalNumber) throws(ComputationError) -> DecimalNumber? {
    guard !other.digits.isEmpty else { throw .divisionByZero }
    let places = Self.digitsOfQuotient + max(0, other.digits.count - digits.count) + 1
    let (quotient, rest) = Self.quotient(
      digits + [UInt8](repeating: 0, count: places), other.digits)
    let result = DecimalNumber(
      isNegative != other.isNegative, quotient, exponent - places - other.exponent)
    if rest.isEmpty, result.digits.count <= Self.digitsOfQuotient { return result }
    guard let double = Double(result.text), double.isFinite else { return nil }
    return DecimalNumber(.real(Real(double)))
  }

  /// nil if the numbers are too far apart.
  func remainder(dividingBy other: DecimalNumber) throws(ComputationError) -> DecimalNumber? {
    guard !other.digits.isEmpty else { throw .divisionByZero }
    guard let (left, right, exponent) = aligned(with: other) else { return nil }
    let divisor = right.drop { $0 == 0 }
    return DecimalNumber(isNegative, Self.quotient(left, Array(divisor)).rest, exponent)
  }

  /// The number without the places after its decimal point.
  func rounded(_ rule: FloatingPointRoundingRule) -> DecimalNumber {
    guard exponent < 0 else { return self }
    let whole = DecimalNumber(isNegative, digits.dropLast(-exponent), 0)
    let isUp = rule == .up && !isNegative || rule == .down && isNegative
    return isUp ? whole.adding(DecimalNumber(isNegative, [1], 0)) ?? whole : whole
  }

  /// The digits of both numbers in units of the same power of ten, with leading zeros up to the same
  /// count; nil if they would be too many.
  private func aligned(
    with other: DecimalNumber
  ) -> (left: [UInt8], right: [UInt8], exponent: Int)? {
    if digits.isEmpty || other.digits.isEmpty {
      let count = max(digits.count, other.digits.count)
      return (
        padded(to: count, by: 0), other.padded(to: count, by: 0),
        digits.isEmpty ? other.exponent : exponent
      )
    }
    let low = min(exponent, other.exponent)
    let count = max(digits.count + exponent, other.digits.count + other.exponent) - low
    guard count <= 2 * Self.maxDigits else { return nil }
    return (
      padded(to: count, by: exponent - low), other.padded(to: count, by: other.exponent - low), low
    )
  }

  private func padded(to count: Int, by zeros: Int) -> [UInt8] {
    let leading = max(0, count - digits.count - zeros)
    return [UInt8](repeating: 0, count: leading) + digits + [UInt8](repeating: 0, count: zeros)
  }

  private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var result = [0] + left
    for place in right.indices { result[place + 1] += right[place] }
    for place in result.indices.dropFirst().reversed() where result[place] > 9 {
      result[place] -= 10
      result[place - 1] += 1
    }
    return result
  }

  /// - Precondition: both have the same count, and `right` is not greater.
  private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var result = left
    var borrow: UInt8 = 0
    for place in left.indices.reversed() {
      let taken = right[place] + borrow
      borrow = left[place] < taken ? 1 : 0
      result[place] = left[place] + 10 * borrow - taken
    }
    return result
  }

  /// Long division.
  /// - Parameter divisor: the first digit is not 0.
  private static func quotient(
    _ dividend: [UInt8], _ divisor: [UInt8]
  ) -> (quotient: [UInt8], rest: [UInt8]) {
    var quotient: [UInt8] = []
    var rest: [UInt8] = []
    for digit in dividend {
      if !rest.isEmpty || digit > 0 { rest.append(digit) }
      var count: UInt8 = 0
      while rest.count > divisor.count
        || rest.count == divisor.count && !rest.lexicographicallyPrecedes(divisor)
      {
        let zeros = [UInt8](repeating: 0, count: rest.count - divisor.count)
        rest = Array(difference(rest, zeros + divisor).drop { $0 == 0 })
        count += 1
      }
      quotient.append(count)
    }
    return (quotient, rest)
  }
}

extension DecimalNumber {
  /// An integer if it is one of 64 bits, otherwise a real.
  /// - Throws: ``ComputationError/tooLarge`` for more than a million places.
  var value: Value {
    get throws(ComputationError) {
      guard exponent.magnitude <= Self.maxExponent else { throw .tooLarge }
      return Value(literal: text)
    }
  }

  /// The number in JSON's syntax, with an exponent if it would have many zeros.
  private var text: String {
    if digits.isEmpty { return "0" }
    let sign = isNegative ? "-" : ""
    let digits = String(decoding: self.digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    let point = digits.count + exponent
    if exponent >= 0, exponent <= 20 {
      return sign + digits + String(repeating: "0", count: exponent)
    }
    if point > 0, exponent < 0 {
      return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
    if point <= 0, point > -6 {
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
    return sign + digits.prefix(1) + fraction + "e\(point - 1)"
  }
}
