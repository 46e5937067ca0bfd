internal import _FoundationICU

/// Encodes the differences between strings with the same letters, accents and numbers: leading
/// zeros and case, in the order in which they occur in the string.
///
/// The first of these differences decides, as in Foundation's order: a01B is before A1b.
enum WeakDifferences {
  /// Writes one byte for each letter that has a case and for each number, then a zero byte.
  /// - Returns: the number of bytes, at most one per code unit plus one.
  static func write(
    _ units: UnsafeBufferPointer<UInt16>, to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var written = 0
    var index = 0
    while index < units.count {
      let unit = units[index]
      if unit < 0x80 {
        let byte = UInt8(truncatingIfNeeded: unit)
        if byte &- 0x30 < 10 {
          target[written] = takeNumber(units, &index)
          written += 1
          continue
        }
        if (byte | 0x20) &- 0x61 < 26 {
          target[written] = byte & 0x20 != 0 ? lower : upper
          written += 1
        }
        index += 1
        continue
      }
      let (scalar, length) = scalar(units, at: index)
      if digit(scalar) != nil {
        target[written] = takeNumber(units, &index)
        written += 1
        continue
      }
      if let letter = letter(scalar) {
        target[written] = letter
        written += 1
      }
      index += length
    }
    target[written] = 0
    return written + 1
  }

  private static let lower: UInt8 = 1
  private static let upper: UInt8 = 2

  private static func letter(_ scalar: UInt32) -> UInt8? {
    switch UInt32(UInt8(bitPattern: swift_u_charType(Int32(bitPattern: scalar)))) {
    case U_LOWERCASE_LETTER.rawValue: lower
    case U_UPPERCASE_LETTER.rawValue, U_TITLECASE_LETTER.rawValue: upper
    default: nil
    }
  }

  /// Advances past the digits.
  /// - Returns: the number of leading zeros plus one, at most 255.
  private static func takeNumber(
    _ units: UnsafeBufferPointer<UInt16>, _ index: inout Int
  ) -> UInt8 {
    var zeros = 0
    var isLeading = true
    while index < units.count {
      let (scalar, length) = scalar(units, at: index)
      guard let digit = digit(scalar) else { break }
      isLeading = isLeading && digit == 0
      if isLeading { zeros += 1 }
      index += length
    }
    return UInt8(min(zeros, 254)) + 1
  }

  private static func digit(_ scalar: UInt32) -> Int? {
    if scalar < 0x80 { return scalar &- 0x30 < 10 ? Int(scalar & 15) : nil }
    let digit = swift_u_charDigitValue(Int32(bitPattern: scalar))
    return digit < 0 ? nil : Int(digit)
  }

  private static func scalar(
    _ units: UnsafeBufferPointer<UInt16>, at index: Int
  ) -> (scalar: UInt32, length: Int) {
    let unit = units[index]
    if UTF16.isLeadSurrogate(unit), index + 1 < units.count,
      UTF16.isTrailSurrogate(units[index + 1])
    {
      let high = UInt32(unit) & 0x3FF
      return ((high << 10 | UInt32(units[index + 1]) & 0x3FF) + 0x10000, 2)
    }
    return (UInt32(unit), 1)
  }
}
