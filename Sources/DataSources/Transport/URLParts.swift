/// The parts of a URL or of a relative reference (RFC 3986).
struct URLParts: Equatable {
  /// Lowercase, without the colon; nil in a relative reference.
  var scheme: String?
  /// Login, host and port, without the slashes before them.
  var authority: String?
  var path: String
  /// Without the question mark.
  var query: String?

  /// The fragment after `#` is omitted: it is never sent.
  init(_ text: String) {
    var rest = text.prefix { $0 != "#" }
    if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      let host = rest.dropFirst(2)
      let end = host.firstIndex { $0 == "/" || $0 == "?" } ?? host.endIndex
      authority = String(host[..<end])
      rest = host[end...]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    path = String(rest)
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else {
      return false
    }
    return text.utf8.allSatisfy {
      $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39
        || [0x2B, 0x2D, 0x2E].contains($0)
    }
  }

  /// Without user and password.
  var shown: String {
    var parts = self
    parts.authority = authority?.split(separator: "@", omittingEmptySubsequences: false).last
      .map(String.init)
    return parts.text
  }

  var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "")
  }

  /// Scheme, host and port, the scope of credentials.
  var origin: String { (scheme ?? "") + "://" + host }

  /// Lowercase, without a login and without the default port of the scheme:
  /// `example.test:8080`.
  var host: String {
    let host = (authority ?? "").split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let defaultPort = ["http": ":80", "https": ":443"][scheme ?? ""] ?? ""
    let hasDefaultPort = !defaultPort.isEmpty && host.hasSuffix(defaultPort)
    return (hasDefaultPort ? host.dropLast(defaultPort.count) : host).lowercased()
  }

  /// The query parameters, decoded, in their order.
  var queryFields: [HeaderField] {
    (query ?? "").split(separator: "&").map { part in
      let name = part.prefix { $0 != "=" }
      return HeaderField(
        PercentEncoding.text(of: name), PercentEncoding.text(of: part.dropFirst(name.count + 1)))
    }
  }

  /// Resolves a reference against this URL.
  func resolving(_ reference: String) -> URLParts {
    var parts = URLParts(reference)
    if parts.scheme != nil { return parts }
    parts.scheme = scheme
    if parts.authority != nil { return parts }
    parts.authority = authority
    if parts.path.isEmpty {
      parts.path = path
      parts.query = parts.query ?? query
    } else if !parts.path.hasPrefix("/") {
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
      parts.path = folder + parts.path
    }
    parts.path = Self.withoutDots(parts.path)
    return parts
  }

  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".", "..":
        if segment == "..", kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}

/// The parts of a URL that distinguish requests.
struct RequestURL: Hashable, Sendable {
  /// Lowercase: `https`; empty without a scheme.
  let scheme: String
  /// Lowercase, without the default port of the scheme: `example.test:8080`.
  let host: String
  /// Percent-encoded; `/` for an empty path.
  let path: String
  /// Decoded, in their order in the URL.
  let query: [HeaderField]

  /// The login and the fragment are omitted.
  init(_ url: String) {
    let parts = URLParts(url)
    scheme = parts.scheme ?? ""
    host = parts.host
    path = parts.path.isEmpty ? "/" : parts.path
    query = parts.queryFields
  }
}
