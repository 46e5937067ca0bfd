extension TransportRequest {
  /// `GET https://example.test/posts?page=2`: without user and password, a secret as its symbol.
  public var shown: String { "GET " + shownURL }

  /// A text with every secret value of the request, as it is or percent-encoded, replaced by its
  /// symbol.
  public func redacting(_ text: String) -> String {
    var text = text
    for case .secret(let secret, let symbol) in (query + headers).map(\.value) where secret != "" {
      text = text.replacing(secret, with: symbol)
      text = text.replacing(PercentEncoding.encoded(secret), with: symbol)
    }
    return text
  }
}
