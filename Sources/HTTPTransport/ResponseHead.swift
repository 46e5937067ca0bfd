import DataSources

/// Status and headers of an answer, from the lines in which they come.
struct ResponseHead: Sendable {
  private(set) var status = 0
  private(set) var headers: [HeaderField] = []
  /// Whether all of it has come, and it is the head of the answer, not of a word before it.
  private(set) var isComplete = false
  private var size = 0

  /// Bytes of all lines, beyond which no honest server goes.
  private static let largest = 256 << 10

  /// - Parameter line: with its line break; bytes that are no UTF-8 are replaced.
  /// - Returns: false when there is more of it than can be meant.
  mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
    // What comes behind the body is not looked at.
    guard !isComplete else { return true }
    size += line.count
    guard size <= Self.largest else { return false }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0.trimmed) } ?? 0
      headers = []
    } else if text.trimmed.isEmpty {
      // 103 and the like announce that the head is still to come.
      isComplete = !(100..<200).contains(status) || status == 101
    } else if text.first == " " || text.first == "\t", let last = headers.popLast() {
      headers.append(HeaderField(last.name, "\(last.value) \(text.trimmed)"))
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...].trimmed
      headers.append(HeaderField(text[..<colon].trimmed, value))
    }
    return true
  }

  /// Where to ask instead, when this is an answer that says so.
  var redirection: String? {
    guard [301, 302, 303, 307, 308].contains(status) else { return nil }
    return self["location"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// nil when the server does not say, or in no number.
  var contentLength: Int? { self["content-length"].flatMap { Int($0) } }

  /// - Parameter name: in small letters.
  private subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    let isSpace: (Character) -> Bool = { " \t\r\n".contains($0) || $0 == "\r\n" }
    let start = drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...end])
  }
}
