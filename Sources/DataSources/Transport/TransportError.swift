/// Why there is no answer, or not all of it. Facts only, and no secrets.
public enum TransportError: Error, Equatable, Sendable {
  /// The URL is none, or of a scheme that nothing here sends to.
  case badURL(String)
  /// No connection, or one that was dropped, in words: `could not connect to 127.0.0.1:9`.
  case network(String, isTransient: Bool)
  /// `seconds` is the limit that was met.
  case timeout(String, seconds: Double)
  /// A file that cannot be read.
  case io(String)
  /// More than the limits allow: redirections, bytes.
  case limit(String, setting: String)
  /// No exchange on the cassette is the one asked for.
  case cassette(String)
  /// It is not allowed to ask: a network that is refused.
  case denied(String)
  case cancelled

  /// What is wrong, in one clause that begins with a small letter.
  public var message: String {
    switch self {
    case .badURL(let what), .network(let what, _), .timeout(let what, _), .io(let what),
      .cassette(let what), .denied(let what):
      what
    case .limit(let what, let setting): "\(what) (`\(setting):` raises the limit)"
    case .cancelled: "canceled"
    }
  }
}
