/// Checks that a server and a client can have had the exchanges of a cassette in their order. A cassette
/// that was edited, or a recording that began after the first fetch, may have others: they would never be
/// replayed.
struct CassetteOrder {
  /// The values of `ETag` and `Last-Modified` in the responses with content to each request.
  private var validators: [RequestKey: [HeaderField]] = [:]

  /// Adds the next exchange.
  /// - Returns: the reason why it cannot have happened there; nil if it can.
  mutating func add(_ exchange: Exchange) -> String? {
    guard let response = exchange.response else { return nil }
    let key = RequestKey(exchange.request)
    if HTTPStatus.isSuccess(response.status) {
      validators[key, default: []] += response.headers.filter {
        ["etag", "last-modified"].contains($0.name.lowercased())
      }
    }
    switch response.status {
    case HTTPStatus.notModified: return mistake(inConditionsOf: exchange.request, key)
    case HTTPStatus.partialContent:
      let range = response.headers.first { $0.name.lowercased() == "content-range" }?.value
      return range.flatMap(Self.mistake(inRange:))
    default: return nil
    }
  }

  private func mistake(inConditionsOf request: RecordedRequest, _ key: RequestKey) -> String? {
    let conditions = request.headers.filter {
      RecordedHeaders.conditions.contains($0.name.lowercased())
    }
    guard let first = conditions.first else {
      return "`304` answers a request with `If-None-Match` or `If-Modified-Since`, and this one has"
        + " neither"
    }
    let missing = conditions.first { condition in
      let name = condition.name.lowercased() == "if-none-match" ? "etag" : "last-modified"
      return !validators[key, default: []].contains {
        $0.name.lowercased() == name && $0.value == condition.value
      }
    }
    guard let missing else { return nil }
    let header = missing.name.lowercased() == "if-none-match" ? "ETag" : "Last-Modified"
    return validators[key] == nil
      ? "`304` needs an exchange above it with the content to which `\(first.name)` refers"
      : "`304` needs the content of `\(header): \(missing.value)`, which no exchange above it has"
  }

  /// `items 10-19/100`; the total may be `*`.
  private static func mistake(inRange text: String) -> String? {
    let parts = text.split(separator: " ").last?.split(separator: "/") ?? []
    let bounds = parts.first?.split(separator: "-").compactMap { Int($0) } ?? []
    guard parts.count == 2, bounds.count == 2 else { return nil }
    if bounds[0] > bounds[1] { return "`Content-Range: \(text)` ends before it begins" }
    guard let total = Int(parts[1]), bounds[0] >= total else { return nil }
    return "`Content-Range: \(text)` begins behind its end"
  }
}
