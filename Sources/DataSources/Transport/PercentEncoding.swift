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

  /// `%` that two digits do not follow stands for itself; bytes that are not UTF-8 for U+FFFD.
  static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if let byte = byte(in: bytes, at: place) {
        decoded.append(byte)
        place += 3
      } else {
        decoded.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The byte that is encoded at a place; nil when none is.
  static func byte(in bytes: [UInt8], at place: Int) -> UInt8? {
    guard place + 2 < bytes.count, bytes[place] == UInt8(ascii: "%"),
      let high = hexValue(bytes[place + 1]), let low = hexValue(bytes[place + 2])
    else { return nil }
    return high << 4 | low
  }

  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
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
