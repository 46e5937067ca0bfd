/// Counts the candidates for the delimiter in the first lines of a text.
struct DelimiterCount {
  private let lines: [ArraySlice<UInt8>]
  private let quote: UInt8?

  init(_ sample: TextSample, from start: Int, dialect: Dialect) {
    let text = sample.bytes[start..<min(sample.count, start + 16 << 10)]
    let comment = dialect.comment
    let found = text.withUnsafeBytes { bytes in
      Array(
        TextLines(bytes, ends: dialect.lineEnds == .any ? .any : .feed).lazy
          .filter { !$0.range.isEmpty }
          .map { text[start + $0.range.lowerBound..<start + $0.range.upperBound] }
          .filter { comment.isEmpty || !$0.starts(with: comment) }
          .prefix(20))
    }
    // The punctuation of comments before the table says nothing about its delimiter.
    let isOpen = comment.isEmpty && found.first?.first == UInt8(ascii: "#")
    let table = isOpen ? found.drop { $0.first == UInt8(ascii: "#") } : found[...]
    lines = Self.hasDelimiter(table) ? Array(table) : found
    quote = dialect.quote
  }

  /// The candidate whose count in the first line recurs in the most lines; among equals, the
  /// candidate with the highest count. A comma if the first line has no candidate. Quoted parts do
  /// not count.
  var likely: UInt8 {
    var best: (delimiter: UInt8, agreeing: Int, count: Int) = (TableFinder.delimiters[0], 0, 0)
    for candidate in TableFinder.delimiters {
      let counts = lines.map { line in count(of: candidate, in: line) }
      guard let first = counts.first, first > 0 else { continue }
      let agreeing = counts.count { $0 == first }
      if (agreeing, first) > (best.agreeing, best.count) { best = (candidate, agreeing, first) }
    }
    return best.delimiter
  }

  private static func hasDelimiter(_ lines: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    lines.first?.contains(where: TableFinder.delimiters.contains) ?? false
  }

  private func count(of delimiter: UInt8, in line: ArraySlice<UInt8>) -> Int {
    var isQuoted = false
    var count = 0
    for byte in line {
      if byte == quote { isQuoted.toggle() }
      if byte == delimiter && !isQuoted { count += 1 }
    }
    return count
  }
}
