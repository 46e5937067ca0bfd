/// Decodes base 64 (RFC 4648) with blanks between the digits.
enum Base64 {
  /// nil if the text is not in base 64.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text {
      if byte <= UInt8(ascii: " ") { continue }
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = digit(byte) else { return nil }
      bits = bits << 6 | UInt32(digit)
      digits += 1
      if digits % 4 == 0 {
        bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
      }
    }
    switch digits % 4 {
    case 0: return padding == 0 ? bytes : nil
    case 2: bytes.append(UInt8(bits >> 4 & 0xFF))
    case 3: bytes += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
    default: return nil
    }
    return padding == 4 - digits % 4 ? bytes : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
