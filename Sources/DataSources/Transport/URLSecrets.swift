/// Finds the logins and the values of secret query parameters in the URLs of a text.
///
/// ``NamedSecrets`` finds parameters in any text; within a URL more is known: names are decoded,
/// and a value ends at the next `&` or `;` only.
struct URLSecrets {
  private let bytes: [UInt8]
  private(set) var found: [Replacement] = []

  /// - Complexity: O(bytes).
  init(in bytes: [UInt8]) {
    self.bytes = bytes
    var place = 0
    while place + 2 < bytes.count {
      if bytes[place] == UInt8(ascii: ":"), bytes[place + 1] == UInt8(ascii: "/"),
        bytes[place + 2] == UInt8(ascii: "/"), place > 0, Self.isLetterOrDigit(bytes[place - 1])
      {
        let end = end(from: place + 3)
        find(in: place + 3..<end)
        place = end
      } else {
        place += 1
      }
    }
  }

  /// The end of the URL, without the punctuation of the sentence around it.
  private func end(from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] > 0x20, !"\"'`<>|\\".utf8.contains(bytes[end]) { end += 1 }
    while end > start, ".,;:!?)]}".utf8.contains(bytes[end - 1]) { end -= 1 }
    return end
  }

  /// - Parameter range: from the authority on.
  private mutating func find(in range: Range<Int>) {
    let url = bytes[range]
    let authority = url.prefix { !"/?#".utf8.contains($0) }
    if let sign = authority.lastIndex(of: UInt8(ascii: "@")) {
      add(authority.startIndex..<sign)
    }
    guard let mark = url.firstIndex(of: UInt8(ascii: "?")) else { return }
    let query = url[(mark + 1)...].prefix { $0 != UInt8(ascii: "#") }
    for part in query.split(whereSeparator: { "&;".utf8.contains($0) }) {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: part[..<equals], as: UTF8.self)
      guard SecretNames.queriesContain(PercentEncoding.text(of: name)) else { continue }
      add(equals + 1..<part.endIndex)
    }
  }

  private mutating func add(_ range: Range<Int>) {
    guard !range.isEmpty, !isMarked(range) else { return }
    found.append(Replacement(range: range))
  }

  /// Whether a mark or a symbol, such as `env API_TOKEN`, is there already.
  private func isMarked(_ range: Range<Int>) -> Bool {
    if bytes[range].elementsEqual(Redactor.mark.utf8) { return true }
    return bytes[range].elementsEqual("env".utf8) && range.upperBound < bytes.count
      && bytes[range.upperBound] == UInt8(ascii: " ")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}

/// A line of text without the secrets of the URLs in it, and where its characters went.
package struct RedactedLine {
  package let text: String
  /// Replaced characters of the original, in order, and how many characters replaced each run.
  private let replaced: [(range: Range<Int>, count: Int)]

  /// - Complexity: O(length).
  package init(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "/")) else {
      self.text = text
      replaced = []
      return
    }
    let found = URLSecrets(in: Array(text.utf8)).found
    var result = ""
    var replaced: [(range: Range<Int>, count: Int)] = []
    var end = text.startIndex
    var offset = 0
    for replacement in found {
      let start = text.utf8.index(text.startIndex, offsetBy: replacement.range.lowerBound)
      result += text[end..<start] + replacement.mark
      let first = offset + text.distance(from: end, to: start)
      end = text.utf8.index(text.startIndex, offsetBy: replacement.range.upperBound)
      offset = first + text.distance(from: start, to: end)
      replaced.append((first..<offset, replacement.mark.count))
    }
    self.text = result + text[end...]
    self.replaced = replaced
  }

  /// The offset in ``text`` of a character of the original, in characters; within a secret, that of
  /// its replacement.
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
  /// The string with `REDACTED` in the place of the logins and the secret query parameters of the
  /// URLs in it.
  package var redactingURLs: String { RedactedLine(self).text }
}
