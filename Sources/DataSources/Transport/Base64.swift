/// Base64 (RFC 4648), with the alphabets for text and for URLs.
enum Base64 {
  static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// With padding.
  static func encoded(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var rest = Array(bytes)[...]
    while let first = rest.first {
      let group = rest.prefix(3)
      let second = group.dropFirst().first ?? 0
      let third = group.dropFirst(2).first ?? 0
      let bits = Int(first) << 16 | Int(second) << 8 | Int(third)
      for digit in 0..<4 {
        let isPadding = digit > group.count
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * digit) & 63])
      }
      rest = rest.dropFirst(3)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns nil for invalid base64; padding is optional.
  static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    var digits = Array(text.utf8)
    while digits.last == UInt8(ascii: "="), digits.count % 4 != 1 { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var bits = 0
    var count = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }

  /// The value of a digit of either alphabet; nil for any other byte.
  static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 48 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
