/// The bytes that stand for others in the fields of a text.
struct FieldQuoting: Hashable, Sendable {
  /// Doubled inside a quoted field, it stands for one.
  var quote = UInt8(ascii: "\"")
  /// Stands for the byte that follows it; nil for none.
  var escape: UInt8?

  /// Calls `body` with a copy of a field without escapes and, if it is quoted, with single quotes
  /// in place of doubled ones. An escape at the end stays.
  func withUnescaped<Result>(
    _ field: UnsafeRawBufferPointer, isQuoted: Bool,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(field.count + 16)
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
    return try bytes.withUnsafeBytes(body)
  }
}
