extension TransportRequest {
  /// The whole URL as it is asked for: without a fragment, percent-encoded where it must be, with
  /// ``query`` behind the one it has already.
  public var sentURL: String {
    let place = authority
    let rest = PercentEncoding.mended(url[place.upperBound...].prefix { $0 != "#" })
    return joined(String(url[..<place.upperBound]) + rest) { PercentEncoding.encoded($0.sent) }
  }

  /// The same for eyes and records: without user and password, a secret as its symbol.
  public var shownURL: String {
    let place = authority
    let host = url[place].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let rest = PercentEncoding.mended(url[place.upperBound...].prefix { $0 != "#" })
    return joined(withoutSecrets(url[..<place.lowerBound] + host + rest)) { value in
      value.isSecret ? value.shown : PercentEncoding.encoded(value.shown)
    }
  }

  /// A server that was told a secret may lead to URLs with it.
  private func withoutSecrets(_ url: String) -> String {
    // What is short is in many texts by chance.
    let secrets = (query + headers + withheld).map(\.value).filter {
      $0.isSecret && $0.sent.utf8.count >= RequestValue.tellingLength
    }
    return secrets.reduce(url) { url, secret in
      url.replacing(PercentEncoding.encoded(secret.sent), with: secret.shown)
        .replacing(secret.sent, with: secret.shown)
    }
  }

  /// Where user, host and port stand; empty, at the end, in a URL that has none.
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
