/// Reads scalars from the bytes of a field without making a string.
///
/// The scalar must occupy all of the bytes: with white space around it, the field is a string.
public enum Scalar {
  /// `true` or `false`, ignoring case.
  public static func bool(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    switch bytes.count {
    case 4: spells(bytes, "true") ? true : nil
    case 5: spells(bytes, "false") ? false : nil
    default: nil
    }
  }

  private static func spells(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    for index in 0..<bytes.count where bytes[index] | 0x20 != word.utf8Start[index] {
      return false
    }
    return true
  }

  /// A date; nil if the bytes are not an ISO 8601 date.
  public static func date(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard let moment = moment(bytes) else { return nil }
    return Timestamp(moment, text: String(decoding: bytes, as: UTF8.self))
  }

  /// A number in JSON's syntax. It keeps its text unless it is a plain 64-bit integer.
  public static func number(_ bytes: UnsafeRawBufferPointer) -> Value? {
    if let integer = integer(bytes) { return .integer(integer) }
    guard let value = real(bytes) else { return nil }
    return .real(Real(text: String(decoding: bytes, as: UTF8.self), value: value))
  }
}

extension Value {
  /// The value that `literal` spells: a number in JSON's syntax, an ISO 8601 date, `true`, `false`
  /// or `null`; anything else is a string, including `007` and `+1`.
  public init(literal: String) {
    var literal = literal
    let scalar: Value? = literal.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return Scalar.number(bytes) ?? Scalar.date(bytes).map(Value.date)
    }
    if let scalar {
      self = scalar
      return
    }
    self =
      switch literal {
      case "true": true
      case "false": false
      case "null": nil
      default: .string(literal)
      }
  }
}

extension Scalar {
  /// An integer in its shortest form; nil for `-0`, `007`, `+1` and integers of more than 64 bits.
  public static func integer(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = bytes.count
    guard count > 0, count <= 20 else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard start < count else { return nil }
    if bytes[start] == UInt8(ascii: "0") { return count == 1 ? 0 : nil }
    // Nineteen digits fit in an unsigned 64-bit integer.
    guard count - start <= 19 else { return nil }
    var magnitude: UInt64 = 0
    for index in start..<count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      magnitude = magnitude &* 10 &+ UInt64(digit)
    }
    guard magnitude <= UInt64(Int.max) + (isNegative ? 1 : 0) else { return nil }
    return Int(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
  }

  /// The double nearest to a number in JSON's syntax: infinite if the number is too large for a
  /// double, nil if the bytes are not a number.
  public static func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let parts = NumberParts(bytes) else { return nil }
    if let exact = parts.exactDouble { return exact }
    // Unlike strtod, this does not depend on the decimal point of the locale.
    return Double(String(decoding: bytes, as: UTF8.self))
  }
}

/// The parts of a number in JSON's syntax.
struct NumberParts {
  private(set) var isNegative = false
  /// Whether the number has neither a fraction nor an exponent.
  private(set) var isInteger = true
  private var mantissa: UInt64 = 0
  private var digits = 0
  private var exponent = 0

  /// nil if the bytes are not a number.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    if let first = bytes.first, first == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    let integerStart = index
    takeDigits(bytes, &index)
    guard index > integerStart else { return nil }
    if bytes[integerStart] == UInt8(ascii: "0"), index > integerStart + 1 { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      let start = index
      takeDigits(bytes, &index)
      guard index > start else { return nil }
      exponent = start - index
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      index += 1
      guard takeExponent(bytes, &index) else { return nil }
    }
    guard index == bytes.count else { return nil }
  }

  private mutating func takeDigits(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) {
    var place = index
    // Leading zeros are not significant digits.
    if digits == 0 {
      while place < bytes.count, bytes[place] == UInt8(ascii: "0") { place &+= 1 }
    }
    let first = place
    // A local variable, because the property would be loaded and stored for every digit.
    var mantissa = mantissa
    while place < bytes.count {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      // May wrap around; the mantissa is used only with at most nineteen significant digits.
      mantissa = mantissa &* 10 &+ UInt64(digit)
      place &+= 1
    }
    self.mantissa = mantissa
    digits += place - first
    index = place
  }

  private mutating func takeExponent(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int
  ) -> Bool {
    guard index < bytes.count else { return false }
    let sign = bytes[index]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { index += 1 }
    let start = index
    var written = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      written = min(written * 10 + Int(digit), 1 << 40)
      index += 1
    }
    exponent += sign == UInt8(ascii: "-") ? -written : written
    return index > start
  }

  /// The value, if one multiplication or division of exact doubles yields it (Clinger 1990).
  var exactDouble: Double? {
    guard digits <= 19, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
    let whole = Double(mantissa)
    let magnitude =
      exponent < 0 ? whole / Self.powersOfTen[-exponent] : whole * Self.powersOfTen[exponent]
    return isNegative ? -magnitude : magnitude
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
