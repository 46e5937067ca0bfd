/// A word for true or false: `yes`, `no`, `Y`, `N`, `T`, `F`, `1`, `0`, `true` or `false`, ignoring
/// case.
struct BoolWord {
  /// Words that belong together.
  enum Pair: String, CaseIterable {
    case yesNo = "yes and no"
    case yN = "Y and N"
    case tF = "T and F"
    case digits = "1 and 0"
    case trueFalse = "true and false"
  }

  let value: Bool
  let pair: Pair

  init?(_ word: UnsafeRawBufferPointer) {
    switch word.count {
    case 1:
      switch word[0] {
      case UInt8(ascii: "1"): (value, pair) = (true, .digits)
      case UInt8(ascii: "0"): (value, pair) = (false, .digits)
      case UInt8(ascii: "y"), UInt8(ascii: "Y"): (value, pair) = (true, .yN)
      case UInt8(ascii: "n"), UInt8(ascii: "N"): (value, pair) = (false, .yN)
      case UInt8(ascii: "t"), UInt8(ascii: "T"): (value, pair) = (true, .tF)
      case UInt8(ascii: "f"), UInt8(ascii: "F"): (value, pair) = (false, .tF)
      default: return nil
      }
    case 2 where word.spells("no"): (value, pair) = (false, .yesNo)
    case 3 where word.spells("yes"): (value, pair) = (true, .yesNo)
    default:
      guard let bool = Scalar.bool(word) else { return nil }
      (value, pair) = (bool, .trueFalse)
    }
  }
}

extension String {
  /// The Boolean that a word stands for: `yes`, `N`; nil for other strings.
  package var boolWord: Bool? {
    var word = self
    return word.withUTF8 { BoolWord(UnsafeRawBufferPointer($0))?.value }
  }
}

extension Scalar {
  /// A hexadecimal integer of up to 64 bits, with an optional sign and an optional `0x`. It keeps
  /// its text.
  static func hexadecimal(_ cell: UnsafeRawBufferPointer) -> Value? {
    guard let (isNegative, magnitude) = hexadecimalParts(cell) else { return nil }
    return .real(
      Real(
        text: String(decoding: cell.trimmingBlanks(), as: UTF8.self),
        number: (isNegative && magnitude > 0 ? "-" : "") + String(magnitude),
        value: isNegative ? -Double(magnitude) : Double(magnitude)))
  }

  /// Whether a cell is a hexadecimal integer.
  static func isHexadecimal(_ cell: UnsafeRawBufferPointer) -> Bool {
    hexadecimalParts(cell) != nil
  }

  private static func hexadecimalParts(
    _ cell: UnsafeRawBufferPointer
  ) -> (isNegative: Bool, magnitude: UInt64)? {
    let text = cell.trimmingBlanks()
    var start = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { start = 1 }
    if text.count > start + 2, text[start] == UInt8(ascii: "0"),
      text[start + 1] | 0x20 == UInt8(ascii: "x")
    {
      start += 2
    }
    guard start < text.count, text.count - start <= 16 else { return nil }
    var magnitude: UInt64 = 0
    for index in start..<text.count {
      guard let digit = text[index].hexadecimalDigit else { return nil }
      magnitude = magnitude << 4 | UInt64(digit)
    }
    return (isNegative, magnitude)
  }
}

extension Moment {
  /// The time that is a number of seconds after 1970-01-01T00:00:00Z; nil outside of the years 0 to
  /// 9999, and for more than nine places of seconds.
  /// - Parameter places: the decimal places by which the number is too large: 3 for milliseconds.
  init?(epoch number: Value, places: Int) {
    let decimal: ExactDecimal
    switch number {
    case .integer(let integer): decimal = ExactDecimal(String(integer))
    case .real(let real) where real.isFinite: decimal = ExactDecimal(real.number)
    default: return nil
    }
    let whole = decimal.exponent - places
    // The last second of the year 9999 has 12 digits.
    guard whole <= 12, decimal.digits.count - whole <= 9 else { return nil }
    var nanoseconds = 0
    var seconds = 0
    for place in min(0, whole)..<max(whole, decimal.digits.count) {
      let digit = decimal.digits.indices.contains(place) ? Int(decimal.digits[place]) : 0
      if place < whole {
        seconds = seconds * 10 + digit
      } else {
        nanoseconds = nanoseconds * 10 + digit
      }
    }
    for _ in max(0, decimal.digits.count - whole)..<9 { nanoseconds *= 10 }
    if decimal.isNegative {
      seconds = -seconds
      if nanoseconds > 0 {
        seconds -= 1
        nanoseconds = 1_000_000_000 - nanoseconds
      }
    }
    guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: nanoseconds, offset: 0, hasTime: true)
  }
}
