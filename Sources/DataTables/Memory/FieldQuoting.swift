/// The quote and escape characters of fields.
struct FieldQuoting: Hashable, Sendable {
  /// Doubled inside a quoted field, it stands for one.
  var quote = UInt8(ascii: "\"")
  /// Stands for the byte that follows it; nil for none.
  var escape: UInt8?
  /// Whether letters after an escape stand for other characters, as in JSON: `\n`, `\u00e9`, `\x0A`.
  var hasLetterEscapes = false

  /// An unquoted field that means null in the exports of MySQL, if `\` is the escape.
  static let nullField = "\\N"

  var hasNullField: Bool { escape == UInt8(ascii: "\\") && !hasLetterEscapes }

  /// Calls `body` with a copy of a field without escapes and, if it is quoted, with single quotes
  /// in place of doubled ones. An escape at the end stays, and so does ``nullField``.
  func withUnescaped<Result>(
    _ field: UnsafeRawBufferPointer, isQuoted: Bool,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    if field.count == 2, !isQuoted, hasNullField, field.elementsEqual(Self.nullField.utf8) {
      return try body(field)
    }
    return try withUnsafeTemporaryAllocation(byteCount: field.count + 16, alignment: 1) { buffer in
      let count = copy(field, isQuoted: isQuoted, to: buffer)
      return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Returns the number of bytes, at most that of the field.
  private func copy(
    _ field: UnsafeRawBufferPointer, isQuoted: Bool, to buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    if isQuoted, escape == nil { return copyWithSingleQuotes(field, to: buffer) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(field.count)
    if hasLetterEscapes {
      appendWithoutLetterEscapes(field, to: &bytes)
    } else {
      append(field, isQuoted: isQuoted, to: &bytes)
    }
    buffer.copyBytes(from: bytes)
    return bytes.count
  }

  private func copyWithSingleQuotes(
    _ field: UnsafeRawBufferPointer, to buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    var count = 0
    var wasQuote = false
    for byte in field {
      // Without a branch: the next byte overwrites one that is left out.
      buffer[count] = byte
      let isSecond = wasQuote && byte == quote
      wasQuote = byte == quote && !isSecond
      count &+= isSecond ? 0 : 1
    }
    return count
  }

  private func append(
    _ field: UnsafeRawBufferPointer, isQuoted: Bool, to bytes: inout [UInt8]
  ) {
    var isEscaped = false
    var isSecond = false
    for byte in field {
      if isEscaped {
        isEscaped = false
      } else if byte == escape {
        isEscaped = true
        isSecond = false
        continue
      } else if isQuoted, byte == quote {
        isSecond.toggle()
        if !isSecond { continue }
      } else {
        isSecond = false
      }
      bytes.append(byte)
    }
    if isEscaped, let escape { bytes.append(escape) }
  }
}

extension FieldQuoting {
  /// Escapes that denote no character stay as they are.
  private func appendWithoutLetterEscapes(
    _ field: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) {
    var index = 0
    while index < field.count {
      if field[index] == escape,
        let length = Self.appendEscaped(field.dropFirst(index + 1), to: &bytes)
      {
        index += 1 + length
      } else {
        bytes.append(field[index])
        index += 1
      }
    }
  }

  /// Appends the character that is escaped; returns the length of its escape, nil if there is none.
  private static func appendEscaped(
    _ rest: Slice<UnsafeRawBufferPointer>, to bytes: inout [UInt8]
  ) -> Int? {
    guard let letter = rest.first else { return nil }
    switch Unicode.Scalar(letter) {
    case "n": bytes.append(0x0A)
    case "t": bytes.append(0x09)
    case "r": bytes.append(0x0D)
    case "b": bytes.append(0x08)
    case "f": bytes.append(0x0C)
    case "u": return append(rest.dropFirst(), digits: 4, to: &bytes)
    case "U": return append(rest.dropFirst(), digits: 8, to: &bytes)
    case "x": return append(rest.dropFirst(), digits: 2, to: &bytes)
    default: bytes.append(letter)
    }
    return 1
  }

  private static func append(
    _ rest: Slice<UnsafeRawBufferPointer>, digits: Int, to bytes: inout [UInt8]
  ) -> Int? {
    guard let high = hexadecimal(rest, digits) else { return nil }
    if let scalar = Unicode.Scalar(high) {
      bytes += Array(String(Character(scalar)).utf8)
      return 1 + digits
    }
    // The second half of a character follows in an escape of its own.
    let next = rest.dropFirst(digits)
    guard digits == 4, high < 0xDC00, next.starts(with: "\\u".utf8),
      let low = hexadecimal(next.dropFirst(2), 4), (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { return nil }
    bytes += Array(String(Character(scalar)).utf8)
    return 1 + digits + 2 + 4
  }

  private static func hexadecimal(_ rest: Slice<UnsafeRawBufferPointer>, _ digits: Int) -> UInt32? {
    let text = rest.prefix(digits)
    guard text.count == digits,
      text.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
    else { return nil }
    return UInt32(String(decoding: text, as: UTF8.self), radix: 16)
  }
}
