/// Finds the logins and the values of secret query parameters in the URLs of a text.
///
/// ``NamedSecrets`` finds parameters in any text. This type also decodes the names, and its values
/// end only at `&`, `;`, `#` or the end of the URL.
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

  /// - Parameter range: the range of the URL after `://`.
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

  /// Whether the value is a mark or a symbol, such as `env API_TOKEN`.
  private func isMarked(_ range: Range<Int>) -> Bool {
    if bytes[range].elementsEqual(Redactor.mark.utf8) { return true }
    return bytes[range].elementsEqual("env".utf8) && range.upperBound < bytes.count
      && bytes[range.upperBound] == UInt8(ascii: " ")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
