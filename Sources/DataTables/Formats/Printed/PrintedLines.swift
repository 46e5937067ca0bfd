/// The lines of a text that may have a printed table.
struct PrintedLines {
  let bytes: [UInt8]
  /// Without line ends.
  private let ranges: [Range<Int>]

  /// - Parameters:
  ///   - isWhole: false if the last line may be cut; it is left out.
  ///   - max: the number of lines from which on lines are left out.
  init(_ bytes: [UInt8], isWhole: Bool = true, upTo max: Int = .max) {
    self.bytes = bytes
    ranges = bytes.withUnsafeBytes { raw in
      var ranges: [Range<Int>] = []
      for line in TextLines(raw) {
        if ranges.count == max || line.isLast && !isWhole { break }
        ranges.append(line.range)
      }
      return ranges
    }
  }

  var count: Int { ranges.count }

  /// The index in the text of the first byte of a line.
  func start(of line: Int) -> Int { ranges[line].lowerBound }

  func text(of line: Int) -> String { String(decoding: bytes[ranges[line]], as: UTF8.self) }

  func isBlank(_ line: Int) -> Bool { bytes[ranges[line]].allSatisfy(\.isBlank) }

  /// The characters of a line, without blanks at its end.
  subscript(line: Int) -> [Unicode.Scalar] {
    var range = ranges[line]
    while let last = bytes[range].last, last.isBlank { range = range.dropLast() }
    return Array(String(decoding: bytes[range], as: UTF8.self).unicodeScalars)
  }

  /// The rule that a line is; nil for another line.
  func rule(_ line: Int) -> PrintedRule? {
    guard line < count, Self.mayBeRule(bytes[ranges[line]]) else { return nil }
    return PrintedRule(self[line])
  }

  /// Whether a line begins as rules do, which other lines rarely do.
  static func mayBeRule(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.firstIndex(where: { $0 != 0x20 }) else { return false }
    switch line[first] {
    case UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "|"),
      UInt8(ascii: ":"), 0xE2:
      // After the first joint, too.
      let second = line.index(after: first)
      return second == line.endIndex || line[second] >= 0x80
        || " -=+|:".utf8.contains(line[second])
    default: return false
    }
  }
}

extension Range<Int> {
  fileprivate func dropLast() -> Range<Int> { lowerBound..<Swift.max(lowerBound, upperBound - 1) }
}
