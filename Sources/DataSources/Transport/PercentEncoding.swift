/// Texts as parts of URLs (RFC 3986): bytes that could mean something else as `%` and two digits.
enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Everything but letters, digits and `-._~` encoded.
  static func encoded(_ text: String) -> String {
    encoded(text) { isUnreserved($0) }
  }

  /// What cannot stand in a URL encoded: space, controls, quotes and other than ASCII. What is
  /// encoded already stays.
  static func mended(_ url: String) -> String {
    encoded(url) { $0 > 0x20 && $0 < 0x7F && !#""<>\^`{|}"#.utf8.contains($0) }
  }

  private static func encoded(_ text: String, unless isPlain: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
