import DataTables

/// Percent-encoding (RFC 3986): `%20`.
package enum PercentEncoding {
  /// Encodes everything except letters, digits and `-._~`: for a name or a value in a query.
  package static func encoded(_ text: String) -> String { encoded(text) { _, _ in false } }

  /// Encodes the characters that a URL must not contain, and keeps percent-encoded bytes.
  package static func completed(_ url: Substring) -> String {
    encoded(String(url)) { byte, rest in
      if byte == UInt8(ascii: "%") {
        return rest.prefix(2).count == 2 && rest.prefix(2).allSatisfy { $0.hexadecimalDigit != nil }
      }
      return ":/?#[]@!$&'()*+,;=".utf8.contains(byte)
    }
  }

  /// The decoded bytes; nil if a `%` is not followed by two hexadecimal digits.
  static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    let bytes = Array(text.utf8)
    let isWhole = bytes.indices.allSatisfy {
      bytes[$0] != UInt8(ascii: "%") || byte(in: bytes, at: $0) != nil
    }
    return isWhole ? decodedBytes(of: bytes) : nil
  }

  /// Decodes unchecked input: a `%` without two hexadecimal digits is kept, bytes that are not
  /// UTF-8 become U+FFFD.
  package static func text(of text: some StringProtocol) -> String {
    String(decoding: decodedBytes(of: Array(text.utf8)), as: UTF8.self)
  }

  private static func decodedBytes(of bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      if let byte = byte(in: bytes, at: offset) {
        decoded.append(byte)
        offset += 3
      } else {
        decoded.append(bytes[offset])
        offset += 1
      }
    }
    return decoded
  }

  /// The encoded byte at an offset; nil if no `%` with two hexadecimal digits is there.
  static func byte(in bytes: [UInt8], at offset: Int) -> UInt8? {
    guard offset + 2 < bytes.count, bytes[offset] == UInt8(ascii: "%"),
      let high = bytes[offset + 1].hexadecimalDigit, let low = bytes[offset + 2].hexadecimalDigit
    else { return nil }
    return high << 4 | low
  }

  /// - Parameter keeps: whether to keep a reserved byte, given the bytes after it.
  private static func encoded(
    _ text: String, keeping keeps: (UInt8, ArraySlice<UInt8>) -> Bool
  ) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    let digits = Array("0123456789ABCDEF".utf8)
    while let byte = rest.popFirst() {
      if isUnreserved(byte) || keeps(byte, rest) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
