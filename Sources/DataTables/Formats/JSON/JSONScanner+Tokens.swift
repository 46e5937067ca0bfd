extension JSONScanner {
  @inline(__always)
  static func skipSpace(
    _ bytes: UnsafePointer<UInt8>, _ index: inout Int, _ newlines: Bool
  ) {
    while bytes[index] <= 0x20, isSpace(bytes[index], newlines) { index += 1 }
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8, _ newlines: Bool) -> Bool {
    byte == 0x20 || byte == 0x09 || newlines && (byte == 0x0A || byte == 0x0D)
  }

  @inline(__always)
  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The index of the first line feed or carriage return, or `end`.
  static func lineEnd(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self))
      let controls = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
      // Borrows cause false matches, but only in bytes after the first true match.
      if controls == 0 {
        index += 8
      } else {
        index += controls.trailingZeroBitCount >> 3
        if index >= end || isLineEnd(bytes[index]) { break }
        index += 1
      }
    }
    return min(index, end)
  }

  /// The end of a number of up to seven digits on each side of the decimal point, found without
  /// branching on the number of digits; nil if ``number(_:_:)`` must decide.
  @inline(__always)
  static func shortNumber(_ bytes: UnsafePointer<UInt8>, _ start: Int) -> Int? {
    let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
    let count = digits(bytes + first)
    guard count &- 1 < 7, count > 0, bytes[first] != UInt8(ascii: "0") || count == 1 else {
      return nil
    }
    var end = first + count
    if bytes[end] == UInt8(ascii: ".") {
      let count = digits(bytes + end + 1)
      guard count &- 1 < 7, count > 0 else { return nil }
      end += 1 + count
    }
    return bytes[end] | 0x20 == UInt8(ascii: "e") ? nil : end
  }

  /// The number of digits at the start of `bytes`, at most 8.
  @inline(__always)
  private static func digits(_ bytes: UnsafePointer<UInt8>) -> Int {
    let word = UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    let digits = word ^ 0x3030_3030_3030_3030
    // Carries cause false matches, but only in bytes after the first true match.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount >> 3
  }

  /// The end of the number, or the index and reason of its error.
  static func number(
    _ bytes: UnsafePointer<UInt8>, _ start: Int
  ) -> (Int, JSONFailure?) {
    var index = start
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    if bytes[index] == UInt8(ascii: "0") {
      index += 1
      if bytes[index].isDigit { return (index, .leadingZero) }
    } else {
      guard bytes[index].isDigit else { return (index, .digit) }
      repeat { index += 1 } while bytes[index].isDigit
    }
    if bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard bytes[index].isDigit else { return (index, .digit) }
      repeat { index += 1 } while bytes[index].isDigit
    }
    if bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
      guard bytes[index].isDigit else { return (index, .digit) }
      repeat { index += 1 } while bytes[index].isDigit
    }
    return (index, nil)
  }

  /// The end of `true`, `false` or `null`, and true; or the index of the first byte that differs,
  /// and false.
  static func word(_ bytes: UnsafePointer<UInt8>, _ start: Int) -> (Int, Bool) {
    let word: StaticString =
      switch bytes[start] {
      case UInt8(ascii: "t"): "true"
      case UInt8(ascii: "f"): "false"
      default: "null"
      }
    for place in 0..<word.utf8CodeUnitCount where bytes[start + place] != word.utf8Start[place] {
      return (start + place, false)
    }
    return (start + word.utf8CodeUnitCount, true)
  }
}

extension JSONScanner {
  /// The index after the closing quote, or nil if the string is malformed; `index` is inside the
  /// string.
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
      guard let digit = bytes[place].hexadecimalDigit else {
        return fail(bytes, place, .hexadecimal, end)
      }
      unit = unit << 4 | UInt16(digit)
    }
    let isLead = unit & 0xFC00 == 0xD800
    if unit & 0xFC00 == 0xDC00 || isLead && !Self.isTrailEscape(bytes + index + 5) {
      noteLoneSurrogate()
    }
    // A trail surrogate is skipped with its lead, so that it does not count as a lone one.
    return isLead && Self.isTrailEscape(bytes + index + 5) ? index + 11 : index + 5
  }

  static func isTrailEscape(_ bytes: UnsafePointer<UInt8>) -> Bool {
    // Compared in this order, because the bytes after the first difference may not be readable.
    bytes[0] == UInt8(ascii: "\\") && bytes[1] == UInt8(ascii: "u")
      && bytes[2] | 0x20 == UInt8(ascii: "d") && (bytes[3].hexadecimalDigit ?? 0) >= 0xC
      && bytes[4].hexadecimalDigit != nil && bytes[5].hexadecimalDigit != nil
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
      // Borrows cause false matches, but only in bytes after the first true match.
      let found = (quotes | backslashes | controls | word) & 0x8080_8080_8080_8080
      if found != 0 { return index + found.trailingZeroBitCount >> 3 }
      index += 8
    }
  }
}

/// A scalar encoded in UTF-8 (The Unicode Standard, table 3-7).
enum UTF8Sequence {
  /// The length of the well-formed sequence at `bytes`, or 0. Does not read past the first byte
  /// that does not belong to the sequence.
  static func length(_ bytes: UnsafePointer<UInt8>) -> Int {
    let lead = bytes[0]
    guard lead >= 0x80 else { return 1 }
    let length = expectedLength(lead)
    guard length > 0, isSecond(bytes[1], after: lead) else { return 0 }
    for place in 2..<max(2, length) where bytes[place] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// Whether the `count` bytes, at least one, are the start of a longer sequence.
  static func isTruncated(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
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
