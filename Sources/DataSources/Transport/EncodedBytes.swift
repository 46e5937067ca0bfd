/// What percent-encoded bytes mean, in texts that nobody checked.
enum EncodedBytes {
  /// `%` that two digits do not follow stands for itself; bytes that are not UTF-8 for U+FFFD.
  static func text(of text: some StringProtocol) -> String {
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
}
