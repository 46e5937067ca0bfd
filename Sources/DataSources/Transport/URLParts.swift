/// The parts of a URL or of a reference to one (RFC 3986).
struct URLParts: Equatable {
  /// Lowercase, without the colon; nil in a relative reference.
  var scheme: String?
  /// Host, port and user, without the slashes before it.
  var authority: String?
  var path: String
  /// Without the question mark.
  var query: String?

  /// What stands behind `#` is left out: it is never sent.
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

  /// Scheme, host and port, for which credentials are meant; the port that a scheme has anyway is
  /// left out.
  var origin: String {
    let host = (authority ?? "").lowercased().split(separator: "@").last.map(String.init) ?? ""
    let usual = scheme == "https" ? ":443" : ":80"
    return (scheme ?? "") + "://"
      + (host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host)
  }

  /// The names of the parts of the query, decoded.
  var queryNames: [String] {
    (query ?? "").split(separator: "&").compactMap { part in
      PercentEncoding.decoded(part.prefix { $0 != "=" })
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// What a reference in the document at this URL stands for.
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
