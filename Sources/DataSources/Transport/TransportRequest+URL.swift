extension TransportRequest {
  /// The URL with the query as it is sent.
  var sentURL: String {
    guard !query.isEmpty else { return PercentEncoding.mended(url) }
    // What stands after `#` is not sent, and the query stands before it.
    let address = url.prefix { $0 != "#" }
    let parts = query.map {
      PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value.sent)
    }
    let separator = !address.contains("?") ? "?" : address.last == "?" ? "" : "&"
    return PercentEncoding.mended(String(address)) + separator + parts.joined(separator: "&")
  }
}
