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
  /// Words that often mean something else in objects. In a query, `key` usually is a secret;
  /// redacting another one is harmless. With a word before it, as in `sort_key`, it is not a
  /// secret.
  private static let inQueries: Set<String> = [
    "auth", "key", "session", "sig", "signature", "xamzcredential", "xamzsecuritytoken",
    "xamzsignature",
  ]
  /// Names of headers in plain text, for responses that repeat the request.
  private static let ofHeaders: Set<String> = [
    "authorization", "cookie", "proxyauthorization", "setcookie", "xapikey", "xauthtoken",
  ]

  /// Whether the name of a header or of a member means a secret.
  static func contains(_ name: some StringProtocol) -> Bool {
    everywhere.contains(plain(name))
  }

  /// Whether the name of a query parameter means a secret.
  static func queriesContain(_ name: some StringProtocol) -> Bool {
    let name = plain(name)
    return everywhere.contains(name) || inQueries.contains(name)
  }

  static func headersContain(_ name: some StringProtocol) -> Bool {
    ofHeaders.contains(plain(name))
  }

  private static func plain(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }
}
