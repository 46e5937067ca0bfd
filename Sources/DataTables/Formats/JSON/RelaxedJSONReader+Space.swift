// White space and comments.
extension RelaxedJSONReader {
  mutating func skipSpace() throws(Failure) {
    while index < end {
      switch bytes[index] {
      case 0x09...0x0D, 0x20: index += 1
      case UInt8(ascii: "/"): try skipComment()
      case 0x80...:
        let (scalar, length) = scalar()
        guard scalar.properties.isWhitespace || scalar == "\u{FEFF}" else { return }
        index += length
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Failure) {
    let next = index + 1 < end ? bytes[index + 1] : 0
    switch next {
    case UInt8(ascii: "/"):
      while index < end, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    case UInt8(ascii: "*"):
      let start = index
      index += 2
      while index + 1 < end {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          index += 2
          return
        }
        index += 1
      }
      index = start
      throw failure("expected `*/` after the comment")
    default: throw failure("expected a value or a comment")
    }
  }

  /// The scalar at the position and its length in bytes.
  private func scalar() -> (Unicode.Scalar, Int) {
    var iterator = bytes[index..<min(end, index + 4)].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return ("a", 1) }
    return (scalar, UTF8.width(scalar))
  }
}
