/// The lines of a text that ends them with LF, CRLF or CR, also mixed.
struct INILines {
  struct Line {
    /// From 1.
    var number: Int
    /// The bytes of the line without its end.
    var range: Range<Int>
    /// The bytes without the white space around them.
    var trimmed: Range<Int>
    /// The number of bytes of white space before the first other character.
    var indentation: Int { trimmed.lowerBound - range.lowerBound }
  }

  private let bytes: UnsafeRawBufferPointer
  private var lines: TextLines

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    lines = TextLines(bytes)
  }

  mutating func next() -> Line? {
    guard let line = lines.next() else { return nil }
    return Line(
      number: line.number, range: line.range, trimmed: Self.trim(bytes, line.range))
  }

  /// The range without white space at its ends.
  static func trim(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C
  }
}
