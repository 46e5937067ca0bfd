/// A GET request, or a POST if it has a body.
public struct TransportRequest: Hashable, Sendable {
  /// With its scheme, without ``query``: `https://example.test/posts`.
  public var url: String
  /// Added to the URL in this order, percent-encoded.
  public var query: [RequestParameter]
  /// In the order given; names are compared without case.
  public var headers: [RequestParameter]
  /// nil for a GET.
  public var body: RequestBody?
  /// A login or a client certificate, which is sent to the origin of the URL only.
  public var identity = ClientIdentity()
  public var limits: TransferLimits
  /// Parameters with secrets that are not sent. They are redacted too, because a response that led
  /// to this request may have repeated them.
  var withheld: [RequestParameter] = []

  public init(
    url: String, query: [RequestParameter] = [], headers: [RequestParameter] = [],
    body: RequestBody? = nil, limits: TransferLimits = TransferLimits()
  ) {
    self.url = url
    self.query = query
    self.headers = headers
    self.body = body
    self.limits = limits
  }

  /// `GET` or `POST`.
  public var method: String { body == nil ? "GET" : "POST" }
  /// Whether sending the request twice does no harm.
  public var isRepeatable: Bool { body?.isRepeatable ?? true }
}

/// A header or a query parameter.
public struct RequestParameter: Hashable, Sendable {
  public let name: String
  public let value: RequestValue

  public init(_ name: String, _ value: RequestValue) {
    self.name = name
    self.value = value
  }
}

/// A value that is sent; a secret one is shown as the symbol of its origin.
public enum RequestValue: Hashable, Sendable {
  case plain(String)
  /// `text` is sent to the server only; `symbol`, such as `env API_TOKEN`, replaces it in all
  /// output and files.
  case secret(String, symbol: String)
  /// A secret without a value: only a cassette or a stub can respond.
  case missing(symbol: String)

  /// The string that is sent; empty if it is missing.
  public var sent: String {
    switch self {
    case .plain(let text), .secret(let text, _): text
    case .missing: ""
    }
  }

  /// The string that is shown.
  public var shown: String {
    switch self {
    case .plain(let text): text
    case .secret(_, let symbol), .missing(let symbol): symbol
    }
  }

  /// The minimum number of bytes of a secret that is searched for within other strings.
  static let minimumSearchedLength = 4

  var isSecret: Bool { if case .plain = self { false } else { true } }
  /// Whether it is a secret without a value.
  package var isMissing: Bool { if case .missing = self { true } else { false } }
}

/// Limits that protect a session from a slow or hostile server.
public struct TransferLimits: Hashable, Sendable {
  /// Seconds within which a server must accept the connection.
  public var connectTimeout = 10.0
  /// Seconds from the request to the last byte of the response, including redirections and retries,
  /// but not the wait for a free connection to its host.
  public var timeout = 60.0
  /// The maximum number of redirections.
  public var redirects = 10
  /// The maximum number of bytes of a body, after decompression.
  public var bodySize = 1 << 30
  /// The maximum number of retries after temporary failures; see
  /// ``Transport/exchange(_:retry:slot:isolation:reading:)``.
  public var retries = 2

  public init() {}
}

extension TransportRequest {
  /// The whole URL as it is sent: without a fragment, percent-encoded where needed, with ``query``
  /// appended to its own query.
  public var sentURL: String {
    let authority = authority
    let rest = PercentEncoding.completed(url[authority.upperBound...].prefix { $0 != "#" })
    return joined(String(url[..<authority.upperBound]) + rest) { PercentEncoding.encoded($0.sent) }
  }

  /// The URL as errors, listings and logs show it: without user and password. `REDACTED` replaces
  /// the value of a parameter that has the name of a secret, and the symbol of a secret from the
  /// environment replaces each of its occurrences.
  public var shownURL: String {
    let authority = authority
    let host = url[authority].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let rest = PercentEncoding.completed(url[authority.upperBound...].prefix { $0 != "#" })
    // A short secret also occurs in unrelated text.
    var redactor = Redactor(showsSymbols: true, minimumLength: RequestValue.minimumSearchedLength)
    _ = redactor.learn(from: self)
    return redactor.redacted(
      url: joined(url[..<authority.lowerBound] + host + rest) { value in
        value.isSecret ? value.shown : PercentEncoding.encoded(value.shown)
      })
  }

  /// The range of user, host and port; empty, before the path, if the URL has none.
  private var authority: Range<String.Index> {
    guard let scheme = url.firstRange(of: "://"), !url[..<scheme.lowerBound].contains("?") else {
      let end = url.firstIndex { "/?#".contains($0) } ?? url.endIndex
      return end..<end
    }
    let rest = url[scheme.upperBound...]
    return rest.startIndex..<(rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex)
  }

  private func joined(_ url: String, value: (RequestValue) -> String) -> String {
    guard !query.isEmpty else { return url }
    let parts = query.map { "\(PercentEncoding.encoded($0.name))=\(value($0.value))" }
    let separator =
      if !url.contains("?") { "?" } else if "?&".contains(url.suffix(1)) { "" } else { "&" }
    return url + separator + parts.joined(separator: "&")
  }
}

extension TransportRequest {
  /// `GET https://example.test/posts?page=2`: without its secrets, see ``shownURL``.
  public var shown: String { method + " " + shownURL }

  /// A string without the secrets of the request, in any encoding, and without the values of names
  /// that mean a secret. A secret is replaced by its symbol, or else by `REDACTED`.
  public func redacting(_ text: String) -> String {
    var redactor = Redactor(showsSymbols: true)
    _ = redactor.learn(from: self)
    return redactor.redacted(text)
  }
}

extension RequestParameter {
  /// Whether a header identifies the client or names the host, and so must not be sent to another
  /// origin.
  package var isCredential: Bool {
    value.isSecret || SecretNames.contains(name) || name.lowercased() == "host"
  }
}
