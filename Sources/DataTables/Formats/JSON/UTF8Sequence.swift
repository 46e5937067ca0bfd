/// One scalar in UTF-8 (The Unicode Standard, table 3-7).
enum UTF8Sequence {
  /// The bytes of the well-formed sequence at `bytes`, or 0. Reads no byte behind one that does not
  /// belong to it.
  static func length(_ bytes: UnsafePointer<UInt8>) -> Int {
    let lead = bytes[0]
    guard lead >= 0x80 else { return 1 }
    let length = expectedLength(lead)
    guard length > 0, isSecond(bytes[1], after: lead) else { return 0 }
    for place in 2..<max(2, length) where bytes[place] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// Whether the `count` bytes, of which there is at least one, are the beginning of a sequence.
  static func isCut(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    let length = expectedLength(bytes[0])
    guard count < length else { return false }
    if count > 1, !isSecond(bytes[1], after: bytes[0]) { return false }
    for place in 2..<max(2, count) where bytes[place] & 0xC0 != 0x80 { return false }
    return true
  }

  private static func expectedLength(_ lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  }

  private static func isSecond(_ byte: UInt8, after lead: UInt8) -> Bool {
    switch lead {
    case 0xE0: 0xA0...0xBF ~= byte
    case 0xED: 0x80...0x9F ~= byte
    case 0xF0: 0x90...0xBF ~= byte
    case 0xF4: 0x80...0x8F ~= byte
    default: 0x80...0xBF ~= byte
    }
  }
}
