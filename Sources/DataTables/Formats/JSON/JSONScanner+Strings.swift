extension JSONScanner {
  /// The index behind the closing quote; `index` is inside the string.
  func string(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> Int? {
    var index = Self.plainEnd(bytes, index)
    while bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] >= 0x80 {
        let length = UTF8Sequence.length(bytes + index)
        guard length > 0 else { return fail(bytes, index, .encoding, end) }
        index += length
        if bytes[index] >= 0x80 { continue }
      } else if bytes[index] == UInt8(ascii: "\\") {
        guard let escapeEnd = escape(bytes, index + 1, end) else { return nil }
        index = escapeEnd
      } else {
        return fail(bytes, index, .control, end)
      }
      index = Self.plainEnd(bytes, index)
    }
    return index + 1
  }

  private func escape(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> Int? {
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 1
    case UInt8(ascii: "u"): break
    default: return fail(bytes, index, .escape, end)
    }
    var unit: UInt16 = 0
    for place in index + 1...index + 4 {
      guard let digit = Self.hexadecimal(bytes[place]) else {
        return fail(bytes, place, .hexadecimal, end)
      }
      unit = unit << 4 | digit
    }
    let isLead = unit & 0xFC00 == 0xD800
    if unit & 0xFC00 == 0xDC00 || isLead && !Self.isTrailEscape(bytes + index + 5) {
      noteLoneSurrogate()
    }
    // A trail is skipped with its lead, so that it does not count as a lone one.
    return isLead && Self.isTrailEscape(bytes + index + 5) ? index + 11 : index + 5
  }

  static func isTrailEscape(_ bytes: UnsafePointer<UInt8>) -> Bool {
    // In this order, as the bytes behind the first that differs may not be readable.
    bytes[0] == UInt8(ascii: "\\") && bytes[1] == UInt8(ascii: "u")
      && bytes[2] | 0x20 == UInt8(ascii: "d") && (hexadecimal(bytes[3]) ?? 0) >= 0xC
      && hexadecimal(bytes[4]) != nil && hexadecimal(bytes[5]) != nil
  }

  static func hexadecimal(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte & 15)
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      UInt16(byte & 15) + 9
    default: nil
    }
  }

  /// The index of the first quote, backslash, control character or byte that is not ASCII.
  @inline(__always)
  static func plainEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while true {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self))
      let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
      let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
      let controls = word &- 0x2020_2020_2020_2020
      // Borrows make false finds, but only above the first true one.
      let found = (quotes | backslashes | controls | word) & 0x8080_8080_8080_8080
      if found != 0 { return index + found.trailingZeroBitCount >> 3 }
      index += 8
    }
  }
}
