/// Writes single fields of a delimited text, quoted where they would be read otherwise.
struct FieldWriter {
  let delimiter: UInt8
  /// Doubled within a quoted field; nil for a text without quotes.
  var quote: UInt8? = UInt8(ascii: "\"")
  /// Stands before itself, and in a text without quotes before special bytes; nil for none.
  var escape: UInt8?
  /// The first byte of comments; a field that begins with it is quoted. nil for none.
  var comment: UInt8? = UInt8(ascii: "#")
  /// The decimal point of numbers.
  var decimal = UInt8(ascii: ".")
  /// Whether all fields but null are quoted.
  var quotesAll = false

  /// Appends a field; null is an empty one.
  /// - Throws: ``TableError/badArgument(_:)`` for a string that the text cannot hold.
  func append(_ value: Value, to bytes: inout [UInt8]) throws(TableError) {
    switch value {
    case .null: break
    case .bool(let bool): try append(bool ? "true" : "false", to: &bytes)
    case .integer(let integer):
      if quotesAll {
        try append(String(integer), to: &bytes)
      } else {
        Self.append(integer, to: &bytes)
      }
    case .real(let real):
      let text = real.isFinite ? real.number : real.text
      let point = String(Unicode.Scalar(decimal))
      try append(decimal == UInt8(ascii: ".") ? text : text.replacing(".", with: point), to: &bytes)
    case .string(let string): try append(string, to: &bytes)
    case .date(let date): try append(date.text, to: &bytes)
    case .data(let data): try append(Base64.encoded(data), to: &bytes)
    case .array, .record: try append(value.json, to: &bytes)
    }
  }

  /// - Throws: ``TableError/badArgument(_:)`` for a string that the text cannot hold.
  func append(_ string: String, to bytes: inout [UInt8]) throws(TableError) {
    var string = string
    var isValid = true
    string.withUTF8 { utf8 in
      switch need(of: utf8) {
      case .nothing where !quotesAll || quote == nil: bytes.append(contentsOf: utf8)
      case .forbidden: isValid = false
      case .nothing, .quotes: isValid = appendEscaped(utf8, to: &bytes)
      }
    }
    guard !isValid else { return }
    throw .badArgument(
      "\(Value.string(string).excerpt) has a character that delimited text "
        + (string.utf8.contains(0) ? "cannot hold: U+0000" : "without quotes cannot hold"))
  }

  /// - Returns: false if the text has neither quotes nor escapes.
  private func appendEscaped(
    _ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
  ) -> Bool {
    if let quote {
      bytes.append(quote)
      for byte in utf8 {
        if byte == quote || byte == escape { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(quote)
      return true
    }
    guard let escape, !utf8.isEmpty else { return false }
    for byte in utf8 {
      if byte == escape || byte == delimiter || byte == 0x0A || byte == 0x0D {
        bytes.append(escape)
      }
      bytes.append(byte)
    }
    return true
  }

  private enum Need {
    case nothing
    /// Without quotes, the field has other bytes or another meaning: the empty string would be null,
    /// and blanks around it may be dropped.
    case quotes
    /// U+0000 makes a text binary.
    case forbidden
  }

  private func need(of utf8: UnsafeBufferPointer<UInt8>) -> Need {
    guard let first = utf8.first, let last = utf8.last else { return .quotes }
    var isSpecial = first <= 0x20 || last <= 0x20 || first == comment
    // A byte order mark is dropped at the start of a text.
    if first == 0xEF, utf8.starts(with: [0xEF, 0xBB, 0xBF]) { isSpecial = true }
    let quote = quote ?? delimiter
    let escape = escape ?? delimiter
    var hasNUL = false
    for byte in utf8 {
      if byte == delimiter || byte == quote || byte == escape || byte == 0x0A || byte == 0x0D {
        isSpecial = true
      }
      if byte == 0 { hasNUL = true }
    }
    return hasNUL ? .forbidden : isSpecial ? .quotes : .nothing
  }

  private static func append(_ integer: Int, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = digits.count
      var magnitude = integer.magnitude
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
        magnitude /= 10
      } while magnitude > 0
      if integer < 0 {
        place -= 1
        digits[place] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: digits[place...])
    }
  }
}
