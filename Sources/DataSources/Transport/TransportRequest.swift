/// What is asked of a server: a GET.
public struct TransportRequest: Hashable, Sendable {
  /// With its scheme, without ``query``: `https://example.test/posts`.
  public var url: String
  /// Added to the URL in this order, percent-encoded.
  public var query: [RequestParameter]
  /// In the order given; names are compared without case.
  public var headers: [RequestParameter]
  public var limits: TransferLimits
  /// Parameters with secrets that are not sent: what is shown and kept hides them all the same, as
  /// an answer that brought the request about may have repeated them.
  var withheld: [RequestParameter] = []

  public init(
    url: String, query: [RequestParameter] = [], headers: [RequestParameter] = [],
    limits: TransferLimits = TransferLimits()
  ) {
    self.url = url
    self.query = query
    self.headers = headers
    self.limits = limits
  }
}

/// A header or a part of the query.
public struct RequestParameter: Hashable, Sendable {
  public let name: String
  public let value: RequestValue

  public init(_ name: String, _ value: RequestValue) {
    self.name = name
    self.value = value
  }
}

/// A text that is sent; one that is secret is shown as where it came from.
public enum RequestValue: Hashable, Sendable {
  case plain(String)
  /// `text` goes to the server and nowhere else; `symbol`, as `env API_TOKEN`, stands for it in all
  /// that is shown or kept.
  case secret(String, symbol: String)
  /// A secret that is not known here: only who does not look for it, as a recording, can answer.
  case missing(symbol: String)

  /// What is sent.
  public var sent: String {
    switch self {
    case .plain(let text), .secret(let text, _): text
    case .missing: ""
    }
  }

  /// What is shown.
  public var shown: String {
    switch self {
    case .plain(let text): text
    case .secret(_, let symbol), .missing(let symbol): symbol
    }
  }

  /// The least bytes of a secret that is looked for within other texts.
  static let tellingLength = 4

  var isSecret: Bool { if case .plain = self { false } else { true } }
}

/// What protects a session from a server that is not what it seems.
public struct TransferLimits: Hashable, Sendable {
  /// Seconds until a server must have taken the connection.
  public var connectTimeout = 10.0
  /// Seconds from the request to the last byte of the answer, redirections and retries included; not
  /// those that it waits while others take all connections to its host.
  public var timeout = 60.0
  /// How many redirections are followed.
  public var redirects = 10
  /// The most bytes of a body, as it is after decompression.
  public var bodySize = 1 << 30
  /// How often a request is sent again that failed in a way that may pass; see
  /// ``RetryingTransport``.
  public var retries = 2

  public init() {}
}
