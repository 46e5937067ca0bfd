/// The names under which secrets travel, whoever chose them.
enum SecretNames {
  /// Without `-` and `_`, in small letters.
  private static let everywhere: Set<String> = [
    "accesskey", "accesstoken", "apikey", "apisecret", "apitoken", "appsecret", "authorization",
    "authtoken", "awssecretaccesskey", "bearertoken", "clientsecret", "cookie", "credentials",
    "csrftoken", "idtoken", "jwt", "passphrase", "passwd", "password", "privatekey",
    "proxyauthorization", "pwd", "refreshtoken", "secret", "secretkey", "sessionid",
    "sessiontoken", "setcookie", "token", "xapikey", "xauthtoken", "xcsrftoken",
  ]
  /// Words that mean much else in the objects of an answer. In a query `key` mostly is one that
  /// opens something, and who means another loses no more than what stands in a recording; with
  /// another word before it, as in `sort_key`, it is none.
  private static let inQueries: Set<String> = [
    "auth", "key", "session", "sig", "signature", "xamzcredential", "xamzsecuritytoken",
    "xamzsignature",
  ]
  /// Names that stand before a colon in the plain text of an answer that tells what it was sent.
  private static let ofHeaders: Set<String> = [
    "authorization", "cookie", "proxyauthorization", "setcookie", "xapikey", "xauthtoken",
  ]

  /// Whether a header, or a member of a record, is a secret.
  static func contains(_ name: some StringProtocol) -> Bool {
    everywhere.contains(plain(name))
  }

  /// Whether a part of a query is a secret.
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
