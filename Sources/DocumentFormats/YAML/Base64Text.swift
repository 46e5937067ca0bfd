/// Base64 (RFC 4648) as documents contain it: padded, with white space anywhere.
enum Base64Text {
  /// nil for text that is not Base64.
  static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte + 4
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x09, 0x0A, 0x0D, 0x20: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | UInt32(digit)
      digits += 1
      if digits % 4 == 0 {
        for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
      }
    }
    switch (digits % 4, padding) {
    case (0, 0): break
    case (2, 2): bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    case (3, 1):
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return bytes
  }
}
