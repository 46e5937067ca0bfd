// Recognition of a text by its first bytes.
extension RelaxedJSONReader {
  /// Whether a text starts an object or array: a bracket, and what may follow it. Markdown and
  /// templates start with `[text](`, `{{` and `{%`.
  static func startsContainer(_ text: [UInt8]) -> Bool {
    var reader = RelaxedJSONReader(text, 0..<text.count, limits: ReadLimits())
    do throws(Failure) {
      try reader.skipSpace()
      let bracket = reader.byte
      guard bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "[") else { return false }
      reader.index += 1
      try reader.skipSpace()
      if reader.index == reader.end { return true }
      switch reader.byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return true
      case UInt8(ascii: "}") where bracket == UInt8(ascii: "{"): return true
      case UInt8(ascii: "]") where bracket == UInt8(ascii: "["): return true
      case UInt8(ascii: "{"), UInt8(ascii: "["): return bracket == UInt8(ascii: "[")
      default:
        if bracket == UInt8(ascii: "{") {
          _ = try reader.key()
        } else {
          _ = try reader.value(depth: 0)
        }
        return true
      }
    } catch {
      return error.offset == text.count
    }
  }

  /// Whether a text, which may be cut, is one object or array.
  static func isDocument(_ text: [UInt8], isWhole: Bool) -> Bool {
    var reader = RelaxedJSONReader(text, 0..<text.count, limits: ReadLimits())
    do throws(Failure) {
      guard try reader.next() != nil else { return false }
      try reader.expectEnd()
      return true
    } catch {
      // A word may be cut.
      return !isWhole && error.offset + 16 > text.count
    }
  }
}
