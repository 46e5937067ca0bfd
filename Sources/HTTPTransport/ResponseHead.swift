import DataSources

/// The status and the headers of a response, parsed line by line.
struct ResponseHead: Sendable {
  private(set) var status = 0
  private(set) var headers: [HeaderField] = []
  /// Whether the head of the final response is complete; an interim response does not count.
  private(set) var isComplete = false
  private var size = 0
  /// Whether libcurl responds to the first challenge of the server by sending the request again.
  private var expectsChallenge: Bool

  /// - Parameter expectsChallenge: whether the request has a login that is sent after a challenge.
  init(expectsChallenge: Bool = false) { self.expectsChallenge = expectsChallenge }

  /// The maximum size of all lines, in bytes.
  private static let maximumSize = 256 << 10

  /// - Parameter line: with its line break; bytes that are not UTF-8 are replaced.
  /// - Returns: false if the head is too large.
  mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
    // Trailers are ignored.
    guard !isComplete else { return true }
    size += line.count
    guard size <= Self.maximumSize else { return false }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0.trimmed) } ?? 0
      headers = []
    } else if text.trimmed.isEmpty {
      // An interim response such as 103: the final head follows.
      isComplete = !(100..<200).contains(status) || status == 101
      if isComplete, isChallenge {
        isComplete = false
        expectsChallenge = false
      }
    } else if text.first == " " || text.first == "\t", let last = headers.popLast() {
      headers.append(HeaderField(last.name, "\(last.value) \(text.trimmed)"))
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...].trimmed
      headers.append(HeaderField(text[..<colon].trimmed, value))
    }
    return true
  }

  /// Whether the response is only the challenge before the final one.
  private var isChallenge: Bool {
    expectsChallenge && status == 401
      && headers.contains { $0.name.lowercased() == "www-authenticate" && $0.offersDigest }
  }

  /// Makes a challenge the final response: the transfer ends with it, or sends its body.
  mutating func acceptChallenge() { if status == 401 { isComplete = true } }

  /// The target of a redirection; nil for any other response.
  var redirection: String? {
    guard [301, 302, 303, 307, 308].contains(status) else { return nil }
    return self["location"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The declared length; nil without a valid one.
  var contentLength: Int? { self["content-length"].flatMap { Int($0) } }

  /// A violation of HTTP that libcurl accepts, as a clause after the name of the server; nil if there is
  /// none.
  var defect: String? {
    // A gateway may pass a response of another protocol on with such a status.
    guard (100..<1_000).contains(status) else { return "does not respond in HTTP" }
    // libcurl reads up to the end of the connection, so that a part would pass as the whole.
    guard let length = self["content-length"], !length.isEmpty, Int(length) == nil,
      length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return "declares an impossible length of its response: \(length) bytes"
  }

  /// - Parameter name: lowercase.
  private subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
}

extension HeaderField {
  /// Whether a `WWW-Authenticate` header has a challenge for a digest, alone or after challenges of
  /// other schemes.
  fileprivate var offersDigest: Bool {
    value.split(separator: ",").contains {
      $0.trimmed.prefix(while: \.isLetter).lowercased() == "digest"
    }
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
