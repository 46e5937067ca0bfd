// Quoted strings.
extension Scanner {
  /// The text of the quoted string that begins at `start`, and the position after its end.
  ///
  /// `"…"` accepts the escapes of Swift and of JSON; `'…'` is raw. Both may contain line ends.
  func quoted(at start: Int) throws(Diagnostic) -> (text: String, end: Int) {
    guard let quote = byte(at: start) else { return ("", start) }
    let end = try quotedEnd(at: start)
    let content = start + 1..<max(start + 1, end - 1)
    guard quote == UInt8(ascii: "\""), script.bytes[content].contains(UInt8(ascii: "\\")) else {
      return (script.string(content), end)
    }
    var text: [UInt8] = []
    var position = content.lowerBound
    while position < content.upperBound {
      let byte = script.bytes[position]
      if byte == UInt8(ascii: "\\") {
        let (scalar, end) = try escape(at: position)
        text.append(contentsOf: String(Character(scalar)).utf8)
        position = end
      } else {
        text.append(byte)
        position += 1
      }
    }
    return (String(decoding: text, as: UTF8.self), end)
  }

  /// The position after the end of the quoted string that begins at `start`.
  func quotedEnd(at start: Int) throws(Diagnostic) -> Int {
    guard let end = try stringEnd(at: start) else {
      throw error("this quote is not closed", at: start..<start + 1)
    }
    return end
  }

  /// The position after the end of the quoted string that begins at `start`; nil if the text ends
  /// before it.
  ///
  /// - Parameter depth: the number of strings around it.
  func stringEnd(at start: Int, depth: Int = 0) throws(Diagnostic) -> Int? {
    guard let quote = byte(at: start) else { return start }
    var position = start + 1
    while let byte = byte(at: position) {
      if byte == quote { return position + 1 }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if let end = try interpolationEnd(at: position, depth: depth) {
          position = end
        } else {
          position = try escape(at: position).end
        }
      } else {
        position += 1
      }
    }
    return nil
  }

  /// For each byte of the text of a quoted string, its position in the script; then the position of
  /// the closing quote.
  ///
  /// - Parameter start: the opening quote of a string that ``quoted(at:)`` accepts.
  func offsets(ofQuotedAt start: Int) throws(Diagnostic) -> [Int] {
    guard let quote = byte(at: start) else { return [] }
    var offsets: [Int] = []
    var position = start + 1
    while let byte = byte(at: position), byte != quote {
      var next = position + 1
      var count = 1
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        let (scalar, end) = try escape(at: position)
        (next, count) = (end, String(Character(scalar)).utf8.count)
      }
      offsets += [Int](repeating: position, count: count)
      position = next
    }
    return offsets + [position]
  }

  func escape(at start: Int) throws(Diagnostic) -> (Unicode.Scalar, end: Int) {
    let end = start + 2
    switch byte(at: start + 1) {
    case UInt8(ascii: "n"): return ("\n", end)
    case UInt8(ascii: "t"): return ("\t", end)
    case UInt8(ascii: "r"): return ("\r", end)
    case UInt8(ascii: "0"): return ("\0", end)
    case UInt8(ascii: "b"): return ("\u{8}", end)
    case UInt8(ascii: "f"): return ("\u{C}", end)
    case UInt8(ascii: "\\"): return ("\\", end)
    case UInt8(ascii: "/"): return ("/", end)
    case UInt8(ascii: "\""): return ("\"", end)
    case UInt8(ascii: "'"): return ("'", end)
    case UInt8(ascii: "u"): return try unicodeEscape(at: start)
    case UInt8(ascii: "("):
      throw error(
        "`\\(…)` cannot insert a value here; write `\\\\(` to mean these characters",
        at: start..<end)
    default:
      let length = byte(at: start + 1).map { $0 < 0x80 ? 2 : 1 } ?? 1
      throw error(
        "unknown escape; write `\\\\` for a backslash, or quote with '…'",
        at: start..<start + length)
    }
  }

  /// `\u{1F600}`, `\u00e9` or a pair of surrogates, `\ud83d\ude00`.
  private func unicodeEscape(at start: Int) throws(Diagnostic) -> (Unicode.Scalar, end: Int) {
    if byte(at: start + 2) == UInt8(ascii: "{") {
      let (value, end) = hexadecimal(from: start + 3, atMost: 8)
      guard byte(at: end) == UInt8(ascii: "}"), let scalar = value.flatMap(Unicode.Scalar.init)
      else {
        throw error(
          "expected the hexadecimal number of a character in `\\u{…}`", at: start..<min(end, limit))
      }
      return (scalar, end + 1)
    }
    let (first, end) = hexadecimal(from: start + 2, atMost: 4)
    guard let first, end == start + 6 else {
      throw error("expected four hexadecimal digits after `\\u`", at: start..<min(end, limit))
    }
    if let scalar = Unicode.Scalar(first) { return (scalar, end) }
    if first < 0xDC00, byte(at: end) == UInt8(ascii: "\\"), byte(at: end + 1) == UInt8(ascii: "u") {
      let (second, pairEnd) = hexadecimal(from: end + 2, atMost: 4)
      if let second, pairEnd == end + 6, (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return (scalar, pairEnd)
      }
    }
    throw error("half of a surrogate pair is missing", at: start..<end)
  }

  private func hexadecimal(from start: Int, atMost count: Int) -> (value: UInt32?, end: Int) {
    var end = start
    while end < start + count, let byte = byte(at: end), Character(Unicode.Scalar(byte)).isHexDigit
    {
      end += 1
    }
    return (UInt32(script.string(start..<end), radix: 16), end)
  }
}
