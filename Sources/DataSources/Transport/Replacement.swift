/// A range of bytes that a mark replaces.
struct Replacement: Sendable {
  var range: Range<Int>
  var mark = Redactor.mark
  /// Whether the mark needs quotes, because it replaces a JSON number.
  var isQuoted = false

  /// Returns the replacements in order, with overlapping and adjacent ones merged.
  static func merged(_ replacements: [Replacement]) -> [Replacement] {
    var merged: [Replacement] = []
    for next in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard let last = merged.last, next.range.lowerBound <= last.range.upperBound else {
        merged.append(next)
        continue
      }
      let end = max(last.range.upperBound, next.range.upperBound)
      let whole = last.range.lowerBound..<end
      let isQuoted = [last, next].contains { $0.isQuoted && $0.range == whole }
      // A symbol is more informative than `REDACTED`.
      let mark = last.mark == Redactor.mark ? next.mark : last.mark
      merged[merged.count - 1] = Replacement(range: whole, isQuoted: isQuoted, mark: mark)
    }
    return merged
  }

  /// The range of a found secret, extended to the whole number if it is part of a JSON number: with
  /// only a part replaced, the text would no longer be JSON.
  init(found range: Range<Int>, in bytes: [UInt8], mark: String = Redactor.mark) {
    self.range = range
    self.mark = mark
    var start = range.lowerBound
    let lowest = max(0, start - Self.longestNumber)
    while start > lowest, Self.isNumeric(bytes[start - 1]) { start -= 1 }
    var end = range.lowerBound
    let highest = min(bytes.count, range.upperBound + Self.longestNumber)
    while end < highest, Self.isNumeric(bytes[end]) { end += 1 }
    guard end >= range.upperBound else { return }
    let before = bytes[..<start].last { !$0.isSpace }
    let after = bytes[end...].first { !$0.isSpace }
    guard before.map(":,[".utf8.contains) ?? false, after.map(",]}".utf8.contains) ?? true else {
      return
    }
    self.range = start..<end
    isQuoted = true
  }

  init(range: Range<Int>, isQuoted: Bool = false, mark: String = Redactor.mark) {
    self.range = range
    self.isQuoted = isQuoted
    self.mark = mark
  }

  /// The maximum number of bytes on each side that are searched for the end of a number.
  private static let longestNumber = 64

  private static func isNumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}

extension UInt8 {
  /// Whether the byte is white space in JSON and in scripts: a space, a tab or a line end.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  /// Whether the byte opens or closes a string in JSON or in a script.
  var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
