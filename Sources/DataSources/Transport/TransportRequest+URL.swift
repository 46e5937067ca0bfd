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
    return joined(url[..<place.lowerBound] + host + rest) { value in
      if case .secret = value { value.shown } else { PercentEncoding.encoded(value.shown) }
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
