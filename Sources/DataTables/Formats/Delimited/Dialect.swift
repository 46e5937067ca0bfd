/// The delimiters, line ends and comments of a delimited text.
struct Dialect: Hashable, Sendable {
  var delimiter: UInt8
  /// LF, or CR if the first line ends in a CR alone. A CR before LF belongs to the terminator.
  var terminator: UInt8 = UInt8(ascii: "\n")
  /// The prefix of comment lines; empty for none.
  var comment: [UInt8] = []

  /// Detects, from the first bytes of a text, the properties that the options do not specify.
  init(sample: [UInt8], options: ReadOptions, fallback: UInt8) {
    if let end = sample.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }),
      sample[end] == UInt8(ascii: "\r"),
      end + 1 >= sample.count || sample[end + 1] != UInt8(ascii: "\n")
    {
      terminator = UInt8(ascii: "\r")
    }
    comment = Array((options.commentPrefix ?? "").utf8)
    delimiter = fallback
    if let delimiter = options.delimiter {
      self.delimiter = delimiter
    } else if fallback == UInt8(ascii: ",") {
      delimiter = Self.likelyDelimiter(of: sample, terminator: terminator, comment: comment)
    }
  }

  static let candidates = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }

  /// The candidate whose count in the first line recurs in the most lines; among equals, the
  /// candidate with the highest count. A comma if the first line has no candidate. Quoted parts do
  /// not count.
  private static func likelyDelimiter(
    of sample: [UInt8], terminator: UInt8, comment: [UInt8]
  ) -> UInt8 {
    var best: (delimiter: UInt8, agreeing: Int, count: Int) = (candidates[0], 0, 0)
    let lines = firstLines(of: sample, terminator: terminator, comment: comment)
    for candidate in candidates {
      let counts = lines.map { line in count(of: candidate, in: line) }
      guard let first = counts.first, first > 0 else { continue }
      let agreeing = counts.count { $0 == first }
      if (agreeing, first) > (best.agreeing, best.count) { best = (candidate, agreeing, first) }
    }
    return best.delimiter
  }

  private static func firstLines(
    of sample: [UInt8], terminator: UInt8, comment: [UInt8]
  ) -> [ArraySlice<UInt8>] {
    sample.prefix(16 << 10).split(separator: terminator)
      .filter { comment.isEmpty || !$0.starts(with: comment) }
      .prefix(20)
      .map { $0 }
  }

  private static func count(of delimiter: UInt8, in line: ArraySlice<UInt8>) -> Int {
    var isQuoted = false
    var count = 0
    for byte in line {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == delimiter && !isQuoted { count += 1 }
    }
    return count
  }
}
