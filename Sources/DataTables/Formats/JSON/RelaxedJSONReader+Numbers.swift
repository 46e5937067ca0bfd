// Numbers.
extension RelaxedJSONReader {
  mutating func number() throws(Failure) -> Value {
    let start = index
    while index < end, Self.isPartOfWord(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if let value = Self.number(text) { return value }
    // Python's null begins like `NaN`.
    if text == "None" { return .null }
    index = start
    throw failure("expected a number")
  }

  /// The number that a word spells; nil if it spells none.
  static func number(_ text: String) -> Value? {
    var digits = Substring(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits = digits.dropFirst() }
    if digits.first == "-" || digits == "." { return nil }
    switch digits {
    case "Infinity":
      return .real(
        Real(
          text: isNegative ? "-Infinity" : "Infinity", value: isNegative ? -.infinity : .infinity))
    case "NaN": return .real(Real(text: "NaN", value: .nan))
    default: break
    }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      return hexadecimal(digits.dropFirst(2), isNegative: isNegative)
    }
    // JSON requires digits on both sides of the point.
    if digits.hasPrefix(".") { digits = "0" + digits }
    if let point = digits.firstIndex(of: ".") {
      let next = digits.index(after: point)
      if next == digits.endIndex || digits[next] == "e" || digits[next] == "E" {
        digits.insert("0", at: next)
      }
    }
    var json = (isNegative ? "-" : "") + digits
    return json.withUTF8 { Scalar.number(UnsafeRawBufferPointer($0)) }
  }

  private static func hexadecimal(_ digits: Substring, isNegative: Bool) -> Value? {
    guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit), digits.utf8.count == digits.count else {
      return nil
    }
    if let magnitude = UInt64(digits, radix: 16) {
      if magnitude <= UInt64(Int.max) {
        return .integer(isNegative ? -Int(magnitude) : Int(magnitude))
      }
      if isNegative, magnitude == 1 << 63 { return .integer(.min) }
      var text = (isNegative ? "-" : "") + String(magnitude)
      return text.withUTF8 { Scalar.number(UnsafeRawBufferPointer($0)) }
    }
    return Double("0x\(digits)p0").flatMap { Real(isNegative ? -$0 : $0) }.map(Value.real)
  }
}
