import DataSources

/// The texts of a request that nobody may see but the server they are for.
struct Secrets: Sendable {
  /// As they are, and as they stand in a URL.
  private let texts: [String]

  init(of request: TransportRequest) {
    let secrets = (request.query + request.headers).compactMap { parameter -> String? in
      if case .secret(let text, _) = parameter.value, !text.isEmpty { text } else { nil }
    }
    texts = secrets + secrets.map(PercentEncoding.encoded)
  }

  func areIn(_ text: some StringProtocol) -> Bool { texts.contains { text.contains($0) } }

  /// Leaves out the parts of the query that carry a secret.
  func removed(fromQueryOf url: String) -> String {
    guard areIn(url), let mark = url.firstIndex(of: "?") else { return url }
    let parts = url[url.index(after: mark)...].split(separator: "&")
    let rest = parts.filter { !areIn($0) }
    return url[..<mark] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
  }
}
