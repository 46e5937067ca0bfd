/// A string as a sequence of texts and numbers, for an order in which file9 is before file10.
///
/// Numbers are runs of ASCII digits of any length, compared by value. The texts between them are
/// compared like strings, by scalars.
struct NumericText {
  private enum Part {
    case text(String)
    /// Digits without leading zeros.
    case digits(String)
  }
  private let parts: [Part]

  static let empty = NumericText("")

  init(_ string: String) {
    var parts: [Part] = []
    var rest = Substring(string).unicodeScalars
    while let first = rest.first {
      let isDigits = Self.isDigit(first)
      let part = rest.prefix { Self.isDigit($0) == isDigits }
      rest = rest[part.endIndex...]
      parts.append(
        isDigits ? .digits(String(part.drop { $0 == "0" })) : .text(String(part)))
    }
    self.parts = parts
  }

  /// Bytes that order as the texts do. A text ends with a zero byte, which sorts before all others; a
  /// number begins like the character `0`, with its length before its digits.
  var orderKey: [UInt8] {
    var key: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let text):
        for byte in text.composed.utf8 {
          key.append(byte)
          // Not the end of the text.
          if byte == 0 { key.append(0xFF) }
        }
        key.append(0)
      case .digits(let digits):
        key.append(UInt8(ascii: "0"))
        let length = UInt32(truncatingIfNeeded: digits.utf8.count)
        for shift in [24, 16, 8, 0] { key.append(UInt8(truncatingIfNeeded: length >> shift)) }
        key += digits.utf8
      }
    }
    return key
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar >= "0" && scalar <= "9"
  }

  func compare(_ other: NumericText) -> Ordering {
    for (left, right) in zip(parts, other.parts) {
      let ordering = Self.compare(left, right)
      if ordering != .same { return ordering }
    }
    return Ordering(parts.count, other.parts.count)
  }

  private static func compare(_ left: Part, _ right: Part) -> Ordering {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.canonicalOrder(right)
    case (.digits(let left), .digits(let right)):
      // Without leading zeros, the longer number is the greater one.
      left.utf8.count == right.utf8.count
        ? Ordering(left, right) : Ordering(left.utf8.count, right.utf8.count)
    // A text never begins with a digit, so its order relative to `0` is its order relative to every
    // number.
    case (.digits, .text(let text)): "0".canonicalOrder(text)
    case (.text(let text), .digits): text.canonicalOrder("0")
    }
  }
}
