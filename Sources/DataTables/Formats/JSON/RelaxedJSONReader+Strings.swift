// Strings.
extension RelaxedJSONReader {
  mutating func string() throws(Failure) -> String {
    let quote = bytes[index]
    index += 1
    var result: [UInt8] = []
    while index < end {
      let byte = bytes[index]
      if byte == quote {
        index += 1
        return String(decoding: result, as: UTF8.self)
      }
      if byte == 0x0A || byte == 0x0D { break }
      index += 1
      if byte == UInt8(ascii: "\\") { try appendEscape(to: &result) } else { result.append(byte) }
    }
    throw failure("expected a closing quote")
  }

  private mutating func appendEscape(to result: inout [UInt8]) throws(Failure) {
    guard index < end else { throw failure("expected a closing quote") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "v"): result.append(0x0B)
    case UInt8(ascii: "0") where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self.byte):
      result.append(0)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      index -= 1
      throw failure("expected an escape without digits after `\\`")
    case UInt8(ascii: "x"): append(try hexadecimal(2), to: &result)
    case UInt8(ascii: "u"): append(try unit(), to: &result)
    // The end of a line after a backslash continues the string.
    case 0x0A: break
    case 0x0D: if self.byte == 0x0A { index += 1 }
    default: result.append(byte)
    }
  }

  private mutating func append(_ scalar: UInt32, to result: inout [UInt8]) {
    if Unicode.Scalar(scalar) == nil {
      if loneSurrogates == 0 { firstLoneSurrogate = index }
      loneSurrogates += 1
    }
    let scalar = Unicode.Scalar(scalar) ?? "\u{FFFD}"
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// The scalar of `XXXX`, together with `\uXXXX` for a surrogate pair.
  private mutating func unit() throws(Failure) -> UInt32 {
    let high = try hexadecimal(4)
    guard (0xD800..<0xDC00).contains(high), index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return high }
    let place = index
    index += 2
    let low = try hexadecimal(4)
    guard (0xDC00..<0xE000).contains(low) else {
      index = place
      return high
    }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hexadecimal(_ count: Int) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard index < end, let digit = bytes[index].hexadecimalDigit else {
        throw failure("expected \(count == 2 ? "two" : "four") hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
