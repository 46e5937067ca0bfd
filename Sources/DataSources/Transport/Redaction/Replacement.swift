/// A stretch of bytes that gives way to ``Redactor/mark``.
struct Replacement: Sendable {
  var range: Range<Int>
  /// Whether the mark takes the place of a number, and so needs quotes of its own.
  var isQuoted = false

  /// In order, with those that overlap or touch as one.
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
      merged[merged.count - 1] = Replacement(range: whole, isQuoted: isQuoted)
    }
    return merged
  }

  /// What was found; the whole number when it is part of one that stands as a value of JSON, which
  /// would not be JSON any more.
  init(found range: Range<Int>, in bytes: [UInt8]) {
    self.range = range
    var start = range.lowerBound
    let least = max(0, start - Self.longestNumber)
    while start > least, Self.isNumeric(bytes[start - 1]) { start -= 1 }
    var end = range.lowerBound
    let most = min(bytes.count, range.upperBound + Self.longestNumber)
    while end < most, Self.isNumeric(bytes[end]) { end += 1 }
    guard end >= range.upperBound else { return }
    let before = bytes[..<start].last { !Self.isSpace($0) }
    let after = bytes[end...].first { !Self.isSpace($0) }
    guard before.map(":,[".utf8.contains) ?? false, after.map(",]}".utf8.contains) ?? true else {
      return
    }
    self.range = start..<end
    isQuoted = true
  }

  init(range: Range<Int>, isQuoted: Bool = false) {
    self.range = range
    self.isQuoted = isQuoted
  }

  /// What is longer is looked through for nothing.
  private static let longestNumber = 64

  private static func isNumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
