/// The exact value of a number's text: `0.digits * 10^exponent`.
///
/// It distinguishes 12345678901234567890 from 12345678901234567891, which doubles cannot. It is
/// needed only if the doubles are equal.
struct ExactDecimal: Equatable {
  let isNegative: Bool
  /// Digits 0...9; neither the first nor the last is 0. Zero has no digits.
  let digits: [UInt8]
  let exponent: Int

  /// - Parameter text: a number in JSON's syntax. Exponents beyond ±2^56 are read as ±2^60.
  init(_ text: String) {
    var digits: [UInt8] = []
    var isNegative = false
    var point: Int?
    var written: ArraySlice<UInt8> = []
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte & 15)
      case UInt8(ascii: "."): point = digits.count
      case UInt8(ascii: "-"): isNegative = true
      default: written = bytes[(index + 1)...]
      }
      if !written.isEmpty { break }
    }
    let leading = digits.prefix { $0 == 0 }.count
    let trailing = digits.reversed().prefix { $0 == 0 }.count
    guard leading < digits.count else {
      self.isNegative = false
      self.digits = []
      exponent = 0
      return
    }
    self.isNegative = isNegative
    self.digits = Array(digits[leading..<digits.count - trailing])
    exponent = (point ?? digits.count) - leading + Self.exponent(written)
  }

  private static func exponent(_ written: ArraySlice<UInt8>) -> Int {
    var magnitude = 0
    for byte in written where byte >= UInt8(ascii: "0") {
      magnitude = min(magnitude * 10 + Int(byte & 15), 1 << 56)
    }
    if magnitude == 1 << 56 { magnitude = 1 << 60 }
    return written.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  func compare(_ other: ExactDecimal) -> Ordering {
    if isNegative != other.isNegative { return isNegative ? .before : .after }
    let magnitude = compareMagnitude(other)
    return isNegative ? magnitude.reversed : magnitude
  }

  private func compareMagnitude(_ other: ExactDecimal) -> Ordering {
    if digits.isEmpty || other.digits.isEmpty {
      return Ordering(digits.count, other.digits.count)
    }
    if exponent != other.exponent { return Ordering(exponent, other.exponent) }
    for (left, right) in zip(digits, other.digits) where left != right {
      return Ordering(left, right)
    }
    return Ordering(digits.count, other.digits.count)
  }

  /// The value as a 64-bit integer; nil if it is not one.
  var integer: Int? {
    guard exponent >= digits.count, exponent <= 19 else { return digits.isEmpty ? 0 : nil }
    var result = 0
    for place in 0..<exponent {
      let digit = place < digits.count ? Int(digits[place]) : 0
      let (shifted, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
      if overflow || carry { return nil }
      result = sum
    }
    return result
  }
}
