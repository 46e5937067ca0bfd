extension TOMLParser {
  /// A string of one line, within double quotes (with escapes) or single quotes.
  mutating func parseString() throws -> String {
    let start = index
    let quote = byte
    index += 1
    var text: [UInt8] = []
    var from = index
    while true {
      guard index < bytes.count, byte != 0x0A else { throw unclosed(quote, at: start) }
      if byte == quote { break }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        text += bytes[from..<index]
        try parseEscape(into: &text)
        from = index
      } else {
        try checkCharacter()
        index += 1
      }
    }
    text += bytes[from..<index]
    index += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// A string as a value: within one quote or three.
  mutating func parseText() throws -> String {
    let quote = byte
    guard index + 2 < bytes.count, bytes[index + 1] == quote, bytes[index + 2] == quote else {
      return try parseString()
    }
    let (start, startLine, startOfLine) = (index, line, lineStart)
    index += 3
    skipLineEnd()
    var text: [UInt8] = []
    while true {
      guard index < bytes.count else {
        (line, lineStart) = (startLine, startOfLine)
        throw unclosed(quote, at: start)
      }
      switch byte {
      case quote:
        if let quotes = takeClosingQuotes(quote) {
          text += [UInt8](repeating: quote, count: quotes)
          return String(decoding: text, as: UTF8.self)
        }
        text.append(quote)
        index += 1
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
        if !skipEscapedLineEnd() { try parseEscape(into: &text) }
      case 0x0A:
        text.append(0x0A)
        advanceLine()
      case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: index += 1
      default:
        try checkCharacter()
        text.append(byte)
        index += 1
      }
    }
  }

  /// Moves past three to five quotes; returns the number of those that belong to the text. nil for
  /// fewer quotes.
  private mutating func takeClosingQuotes(_ quote: UInt8) -> Int? {
    let count = bytes[index...].prefix(5).prefix { $0 == quote }.count
    guard count >= 3 else { return nil }
    index += count
    return count - 3
  }

  private mutating func skipLineEnd() {
    if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
    if byte == 0x0A, index < bytes.count { advanceLine() }
  }

  /// Moves past a backslash at the end of a line and all white space after it; returns false for
  /// another backslash.
  private mutating func skipEscapedLineEnd() -> Bool {
    var end = index + 1
    while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 || bytes[end] == 0x0D {
      end += 1
    }
    guard end < bytes.count, bytes[end] == 0x0A else { return false }
    index = end
    while index < bytes.count {
      switch byte {
      case 0x0A: advanceLine()
      case 0x20, 0x09, 0x0D: index += 1
      default: return true
      }
    }
    return true
  }

  /// Appends the character of the escape at the index and moves past it.
  private mutating func parseEscape(into text: inout [UInt8]) throws {
    let start = index
    index += 1
    let mark = byte
    index = min(index + 1, bytes.count)
    switch mark {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "e"): text.append(0x1B)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(mark)
    case UInt8(ascii: "x"): text += try parseScalar(digits: 2, from: start)
    case UInt8(ascii: "u"): text += try parseScalar(digits: 4, from: start)
    case UInt8(ascii: "U"): text += try parseScalar(digits: 8, from: start)
    default:
      throw failure(
        "unknown escape; write a backslash as `\\\\`, or the string in single quotes", at: start)
    }
  }

  private mutating func parseScalar(digits: Int, from start: Int) throws -> [UInt8] {
    let end = min(index + digits, bytes.count)
    var value: UInt32 = 0
    for digit in bytes[index..<end] {
      guard let number = digit.hexadecimalDigit else { value = .max; break }
      value = value << 4 | UInt32(number)
    }
    guard end - index == digits, let scalar = Unicode.Scalar(value),
      let encoded = UTF8.encode(scalar)
    else {
      throw failure("expected \(digits) hexadecimal digits of a character", at: start)
    }
    index = end
    return Array(encoded)
  }

  /// Control characters other than the tab must be escaped.
  private func checkCharacter() throws {
    if byte < 0x20 && byte != 0x09 || byte == 0x7F {
      throw failure("the control character \(byte) must be written as an escape")
    }
  }

  private func unclosed(_ quote: UInt8, at start: Int) -> TableError {
    failure("a string has no closing `\(Unicode.Scalar(quote))`", at: start)
  }
}
