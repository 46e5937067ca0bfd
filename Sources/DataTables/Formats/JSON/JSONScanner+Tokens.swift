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

  /// The index of the first line feed or return, or `end`.
  static func lineEnd(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self))
      let controls = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
      // Borrows make false finds, but only above the first true one.
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

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// The index behind a number of up to seven digits on each side of its point, found without a
  /// branch on how many; nil when it is not certain that there is one.
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

  /// How many digits stand here; 8 for as many or more.
  @inline(__always)
  private static func digits(_ bytes: UnsafePointer<UInt8>) -> Int {
    let word = UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    let digits = word ^ 0x3030_3030_3030_3030
    // Carries make false finds, but only above the first true one.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount >> 3
  }

  /// The index behind the number, or where it goes wrong and how.
  static func number(
    _ bytes: UnsafePointer<UInt8>, _ start: Int
  ) -> (Int, JSONFailure?) {
    var index = start
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    if bytes[index] == UInt8(ascii: "0") {
      index += 1
      if isDigit(bytes[index]) { return (index, .leadingZero) }
    } else {
      guard isDigit(bytes[index]) else { return (index, .digit) }
      repeat { index += 1 } while isDigit(bytes[index])
    }
    if bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard isDigit(bytes[index]) else { return (index, .digit) }
      repeat { index += 1 } while isDigit(bytes[index])
    }
    if bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
      guard isDigit(bytes[index]) else { return (index, .digit) }
      repeat { index += 1 } while isDigit(bytes[index])
    }
    return (index, nil)
  }

  /// The index behind `true`, `false` or `null`, or of the first byte that differs.
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
