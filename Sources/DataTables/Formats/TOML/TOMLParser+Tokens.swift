extension TOMLParser {
  /// The current byte; 0 at the end of the text.
  var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// - Parameter index: the place of a byte of the current line.
  func position(of index: Int) -> TextPosition {
    TextPosition(line: line, column: max(1, index - lineStart + 1))
  }

  /// - Parameter start: the place of the error; nil for the current byte.
  func failure(_ message: String, at start: Int? = nil) -> TableError {
    .format(message, at: position(of: start ?? index))
  }

  /// The current character, for a message.
  var found: String {
    guard index < bytes.count else { return "the end of the text" }
    if byte == 0x0A || byte == 0x0D { return "the end of the line" }
    let end = min(index + 4, bytes.count)
    let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[index..<end]), as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return "the end of the text" }
    if scalar.value < 0x20 || scalar.value == 0x7F {
      return "the control character \(scalar.value)"
    }
    return scalar == "`" ? "a backquote" : "`\(scalar)`"
  }

  mutating func expect(_ scalar: Unicode.Scalar, _ place: String) throws {
    guard byte == UInt8(ascii: scalar), index < bytes.count else {
      throw failure("expected `\(scalar)` \(place), found \(found)")
    }
    index += 1
  }

  mutating func skipSpace() {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
  }

  /// Skips white space, line ends and comments.
  mutating func skipSpaceAndComments() throws {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09: index += 1
      case 0x0A: advanceLine()
      case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: index += 1
      case UInt8(ascii: "#"): try skipComment()
      default: return
      }
    }
  }

  /// Moves to the end of the line.
  private mutating func skipComment() throws {
    while index < bytes.count, bytes[index] != 0x0A {
      let isReturn = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
      if byte < 0x20 && byte != 0x09 && !isReturn || byte == 0x7F {
        throw failure("a comment contains the control character \(byte)")
      }
      index += 1
    }
  }

  /// Moves past the line feed at the index.
  mutating func advanceLine() {
    index += 1
    line += 1
    lineStart = index
  }

  mutating func expectLineEnd() throws {
    skipSpace()
    if byte == UInt8(ascii: "#") { try skipComment() }
    if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
    guard index < bytes.count else { return }
    guard byte == 0x0A else { throw failure("expected the end of the line, found \(found)") }
    advanceLine()
  }
}
