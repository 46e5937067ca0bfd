/// The names of parameters, headers and members that hold secrets.
enum SecretNames {
  /// Lowercase, without `-` and `_`.
  private static let everywhere: Set<String> = [
    "accesskey", "accesstoken", "apikey", "apisecret", "apitoken", "appsecret", "authorization",
    "authtoken", "awssecretaccesskey", "bearertoken", "clientsecret", "cookie", "credentials",
    "csrftoken", "idtoken", "jwt", "passphrase", "passwd", "password", "privatekey",
    "proxyauthorization", "pwd", "refreshtoken", "secret", "secretkey", "sessionid",
    "sessiontoken", "setcookie", "token", "xapikey", "xauthtoken", "xcsrftoken",
  ]
  /// Words that are secret in queries only: in objects they often mean something else. `key` with a
  /// word before it, such as `sort_key`, is not a secret.
  private static let inQueries: Set<String> = [
    "auth", "key", "session", "sig", "signature", "xamzcredential", "xamzsecuritytoken",
    "xamzsignature",
  ]
  /// The headers that are redacted in plain text, because a response may repeat the request.
  private static let ofHeaders: Set<String> = [
    "authorization", "cookie", "proxyauthorization", "setcookie", "xapikey", "xauthtoken",
  ]

  /// Whether the name of a header or of a member means a secret.
  static func contains(_ name: some StringProtocol) -> Bool {
    everywhere.contains(normalized(name))
  }

  /// Whether the name of a query parameter means a secret.
  static func queriesContain(_ name: some StringProtocol) -> Bool {
    let name = normalized(name)
    return everywhere.contains(name) || inQueries.contains(name)
  }

  /// Whether the name of a header in plain text means a secret.
  static func headersContain(_ name: some StringProtocol) -> Bool {
    ofHeaders.contains(normalized(name))
  }

  private static func normalized(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }
}
