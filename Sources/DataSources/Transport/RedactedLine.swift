/// A line of a script or of output without the secrets that were typed in it, and the offsets of
/// its characters in the original.
///
/// The secrets of URLs (``URLSecrets``), and of the records of requests and passwords
/// (``ParameterSecrets``) are redacted.
package struct RedactedLine {
  package let text: String
  /// The ranges of replaced characters of the original, in order, and the number of characters that
  /// replaced each.
  private let replaced: [(range: Range<Int>, count: Int)]

  /// - Parameter earlier: the lines before, with their line ends. A record that begins in them may
  ///   continue in this line.
  /// - Complexity: O(length of both).
  package init(_ text: String, after earlier: String = "") {
    var result = ""
    var replaced: [(range: Range<Int>, count: Int)] = []
    var end = text.startIndex
    var offset = 0
    for replacement in Self.secrets(in: text, after: earlier) {
      let start = text.utf8.index(text.startIndex, offsetBy: replacement.range.lowerBound)
      let next = text.utf8.index(text.startIndex, offsetBy: replacement.range.upperBound)
      result += text[end..<start] + replacement.mark
      let first = offset + text.distance(from: end, to: start)
      offset = first + text.distance(from: start, to: next)
      replaced.append((first..<offset, replacement.mark.count))
      end = next
    }
    self.text = result + text[end...]
    self.replaced = replaced
  }

  private static func secrets(in text: String, after earlier: String) -> [Replacement] {
    var found: [Replacement] = []
    if text.utf8.contains(UInt8(ascii: "/")) { found = URLSecrets(in: Array(text.utf8)).found }
    let bytes = Array(earlier.utf8) + text.utf8
    if bytes.contains(UInt8(ascii: "{")) || (earlier + text).contains("assword:") {
      let lineStart = earlier.utf8.count
      found += ParameterSecrets(in: bytes).found.compactMap { replacement in
        let range = replacement.range.clamped(to: lineStart..<bytes.count)
        guard !range.isEmpty else { return nil }
        return Replacement(range: range.lowerBound - lineStart..<range.upperBound - lineStart)
      }
    }
    return Replacement.merged(found)
  }

  /// The offset in ``text`` of a character of the original, in characters; within a secret, the
  /// offset of its replacement.
  package func offset(of original: Int) -> Int {
    var moved = original
    for (range, count) in replaced where range.lowerBound < original {
      moved += range.upperBound <= original ? count - range.count : range.lowerBound - original
      if range.upperBound > original { break }
    }
    return moved
  }
}

extension String {
  /// The string with `REDACTED` in place of the secrets in its URLs and in its records of requests;
  /// see ``RedactedLine``.
  package var redactingSecrets: String { RedactedLine(self).text }
}
