/// How a client identifies itself to a server, besides headers.
public struct ClientIdentity: Hashable, Sendable {
  /// How a login is sent (RFC 7617, RFC 7616).
  public enum Scheme: String, CaseIterable, Sendable {
    case basic
    /// As a hash, after the server has sent a challenge.
    case digest
  }
  /// The scheme of the ``user`` or of a login in the URL.
  public var scheme = Scheme.basic
  /// nil for the user in the URL.
  public var user: RequestValue?
  public var password: RequestValue?
  /// The file of a client certificate, in PEM, or in PKCS #12 with the extension `p12` or `pfx`.
  public var certificate: String?
  /// The file of its key in PEM; nil if the file of the certificate has it.
  public var certificateKey: String?
  /// The password of the key.
  public var keyPassword: RequestValue?

  public init() {}

  /// The passwords, and a user that is a secret, as parameters that are redacted.
  package var secrets: [RequestParameter] {
    ([password, keyPassword].compactMap(\.self) + secretUser).map {
      RequestParameter("password", $0)
    }
  }

  /// A user from the environment, or without a password, which can be a token. The server receives
  /// the token with a colon, in base64.
  private var secretUser: [RequestValue] {
    guard let user else { return [] }
    switch password {
    case nil, .plain(""), .secret("", _): break
    default: return user.isSecret ? [user] : []
    }
    return switch user {
    case .plain(let text): [user, .plain(text + ":")]
    case .secret(let text, let symbol): [user, .secret(text + ":", symbol: symbol)]
    case .missing: [user]
    }
  }
}
