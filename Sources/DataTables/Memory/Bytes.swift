internal import Glibc

extension UInt8 {
  /// Whether this is a space or a tab.
  package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Whether this is an ASCII digit.
  @inline(__always)
  package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// Whether this is ASCII white space: a space, a tab or the end of a line or page.
  @inline(__always)
  package var isWhiteSpace: Bool { self == UInt8(ascii: " ") || self &- 0x09 < 5 }

  /// The value of a hexadecimal digit; nil for any other byte.
  @inline(__always)
  /// Two hexadecimal digits, in lowercase.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".unicodeScalars)
    var text = ""
    text.unicodeScalars.append(digits[Int(self >> 4)])
    text.unicodeScalars.append(digits[Int(self & 15)])
    return text
  }

  package var hexadecimalDigit: UInt8? {
    let digit = self &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// Whether this is an ASCII letter.
  package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}

extension UnsafeRawBufferPointer {
  /// The bytes without spaces and tabs at both ends.
  func trimmingBlanks() -> UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start].isBlank { start += 1 }
    while end > start, self[end - 1].isBlank { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// Whether the bytes are the letters of a lowercase word, ignoring case.
  func spells(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] | 0x20 != word.utf8Start[index] { return false }
    return true
  }
}

extension [UInt8] {
  /// The index of the first occurrence of a byte in a range of indices; nil if it does not occur.
  /// Several times as fast as `firstIndex(of:)`, which compares byte by byte.
  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let start = bytes.baseAddress,
        let found = memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return range.lowerBound + (UnsafeRawPointer(found) - start)
    }
  }
}
