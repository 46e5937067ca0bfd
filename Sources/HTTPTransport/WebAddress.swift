import CCurl
import DataSources

/// A URL for HTTP, parsed by libcurl itself, so that the checks see the same parts as the request.
struct WebAddress: Sendable {
  /// Without user, password and fragment.
  let url: String
  let scheme: String
  /// Lowercase; IPv6 in brackets.
  let host: String
  let port: Int
  /// Decoded.
  let user: String?
  let password: String?

  /// `127.0.0.1:8000`
  var hostAndPort: String { "\(host):\(port)" }

  /// - Parameters:
  ///   - url: percent-encoded.
  ///   - shown: its form in errors, without secrets.
  /// - Throws: ``TransportError/badURL(_:)``.
  init(_ url: String, shown: String) throws(TransportError) {
    try self.init([url], shown: shown)
  }

  /// Resolves a reference against this URL.
  func resolving(_ reference: String, shown: String) throws(TransportError) -> WebAddress {
    try WebAddress([url, reference], shown: shown)
  }

  /// - Parameter references: each resolved against the one before.
  private init(_ references: [String], shown: String) throws(TransportError) {
    guard let handle = ccurl_url_new() else { throw .badURL("out of memory for `\(shown)`") }
    defer { ccurl_url_free(handle) }
    for reference in references {
      let flags = UInt32(CCURL_NON_SUPPORT_SCHEME)
      guard ccurl_url_set(handle, CCURL_PART_URL, reference, flags) == CCURL_OK else {
        throw .badURL("`\(shown)` is not a valid URL; write one like https://example.test/list")
      }
    }
    scheme = Self.part(CCURL_PART_SCHEME, of: handle)?.lowercased() ?? ""
    guard scheme == "http" || scheme == "https" else {
      throw .badURL("`\(shown)` has the unsupported scheme `\(scheme)`; expected http or https")
    }
    user = Self.part(CCURL_PART_USER, of: handle, flags: CCURL_URLDECODE)
    password = Self.part(CCURL_PART_PASSWORD, of: handle, flags: CCURL_URLDECODE)
    for part in [CCURL_PART_USER, CCURL_PART_PASSWORD, CCURL_PART_FRAGMENT] {
      _ = ccurl_url_set(handle, part, nil, 0)
    }
    host = Self.part(CCURL_PART_HOST, of: handle)?.lowercased() ?? ""
    let port = Self.part(CCURL_PART_PORT, of: handle, flags: CCURL_DEFAULT_PORT).flatMap(Int.init)
    let url = Self.part(CCURL_PART_URL, of: handle)
    guard let port, let url, !host.isEmpty else { throw .badURL("`\(shown)` names no host") }
    self.port = port
    self.url = url
  }

  private static func part(
    _ part: Int32, of handle: UnsafeMutableRawPointer, flags: Int32 = 0
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard ccurl_url_get(handle, part, &text, UInt32(flags)) == CCURL_OK, let text else {
      return nil
    }
    defer { ccurl_text_free(text) }
    return String(cString: text)
  }

  /// Whether credentials for `first` may be sent here: to the same scheme, host and port, or from
  /// http to https on the same host, both at their default ports.
  func isTrusted(by first: WebAddress) -> Bool {
    guard host == first.host else { return false }
    if scheme == first.scheme { return port == first.port }
    return first.scheme == "http" && first.port == 80 && port == 443
  }
}
