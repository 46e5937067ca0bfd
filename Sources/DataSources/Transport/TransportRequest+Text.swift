extension TransportRequest {
  /// `GET https://example.test/posts?page=2`: without user and password, a secret as its symbol.
  public var shown: String { "GET " + shownURL }

  /// A text without the secrets of the request, however they are written in it, and without what
  /// stands there under the name of a secret: a symbol takes the place of each that has one, else
  /// `REDACTED`.
  public func redacting(_ text: String) -> String {
    var redactor = Redactor(showsSymbols: true)
    _ = redactor.learn(from: self)
    return redactor.redacted(text)
  }
}
