extension TransportRequest {
  /// The whole URL as it is asked for: without a fragment, percent-encoded where it must be, with
  /// ``query`` behind the one it has already.
  public var sentURL: String {
    let place = authority
    let rest = PercentEncoding.mended(url[place.upperBound...].prefix { $0 != "#" })
    return joined(String(url[..<place.upperBound]) + rest) { PercentEncoding.encoded($0.sent) }
  }

  /// The URL as errors, listings and logs show it: without user and password, with `REDACTED` for
  /// the parameters that have the name of a secret, and a secret from the environment as its symbol,
  /// wherever it occurs.
  public var shownURL: String {
    let place = authority
    let host = url[place].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let rest = PercentEncoding.mended(url[place.upperBound...].prefix { $0 != "#" })
    // A short secret occurs in many strings at random.
    var redactor = Redactor(showsSymbols: true, leastLength: RequestValue.tellingLength)
    _ = redactor.learn(from: self)
    return redactor.redacted(
      url: joined(url[..<place.lowerBound] + host + rest) { value in
        value.isSecret ? value.shown : PercentEncoding.encoded(value.shown)
      })
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
