import DataTables

/// The number of the lines of a long output and the start of their SHA-256 digest, in place of the lines:
/// `2,000 lines, sha256 1f3a5b…`.
///
/// The digest is that of the lines with a newline after each, as `sha256sum` prints it for a file.
package struct LinesDigest: Sendable, Equatable {
  let count: Int
  /// Lowercase hexadecimal digits, the first ones of 64.
  let hash: String

  /// The number of digits that ``init(of:digits:)`` keeps without another request. One of 2^64
  /// other outputs has the same ones.
  static let usualDigits = 16
  private static let digits = 8...64
  /// No output has more lines; the sum of many such numbers does not overflow.
  private static let maximumCount = 1 << 40

  init(of lines: some Collection<String>, digits: Int = usualDigits) {
    var digest = SHA256()
    for line in lines {
      digest.add(line.utf8)
      digest.add(CollectionOfOne(UInt8(ascii: "\n")))
    }
    count = lines.count
    hash = String(digest.finish().prefix(digits))
  }

  /// Reads ``text``; the number may be without separators.
  init?(parsing text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 4, let count = Int(parts[0].filter { $0 != "," }),
      (1...Self.maximumCount).contains(count),
      ["line,", "lines,"].contains(parts[1]), parts[2] == "sha256",
      Self.digits.contains(parts[3].utf8.count),
      parts[3].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.count = count
    hash = String(parts[3])
  }

  var text: String { "\(count.counted("line")), sha256 \(hash)" }
}
