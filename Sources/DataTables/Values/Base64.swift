/// Base64 (RFC 4648), with the alphabets for text and for URLs.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// With padding.
  package static func encoded(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the digits of bytes, with padding.
  static func append(_ bytes: some RandomAccessCollection<UInt8>, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var rest = bytes[...]
    while !rest.isEmpty {
      var group = 0
      var count = 0
      for _ in 0..<3 {
        group <<= 8
        if let byte = rest.popFirst() {
          group |= Int(byte)
          count += 1
        }
      }
      for place in 0..<4 {
        text.append(
          place <= count ? alphabet[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
  }

  /// Returns nil for invalid base64; padding is optional.
  package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    var digits = Array(text.utf8)
    while digits.last == UInt8(ascii: "="), digits.count % 4 != 1 { digits.removeLast() }
    return bytes(of: digits)
  }

  /// The bytes of base64 as documents contain it: padded, in the alphabet for text, with white space
  /// anywhere; nil for other text.
  package static func decoded(document text: some Sequence<UInt8>) -> [UInt8]? {
    var digits = text.filter { !$0.isWhiteSpace }
    guard digits.count % 4 == 0, !digits.contains(where: { $0 == 0x2D || $0 == 0x5F }) else {
      return nil
    }
    for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    return bytes(of: digits)
  }

  private static func bytes(of digits: [UInt8]) -> [UInt8]? {
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
  package static func value(of digit: UInt8) -> Int? {
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
