extension TransportRequest {
  /// The request with more parameters behind those it has.
  func adding(_ parameters: [(String, Int)]) -> TransportRequest {
    var request = self
    request.query += parameters.map { RequestParameter($0.0, .plain(String($0.1))) }
    return request
  }

  /// The request for what a link in an answer leads to.
  ///
  /// The link has its query already. To the host that was asked first it goes with the headers, and
  /// with the secret parameters that the link lacks; to any other without whatever tells who asks.
  ///
  /// - Parameter url: where the answer came from.
  /// - Throws: ``SourceError``, `denied` for a link from the web to files, or the other way.
  func following(_ link: String, from url: String) throws(SourceError) -> TransportRequest {
    let target = URLParts(url).resolving(link)
    let start = URLParts(self.url)
    let isWeb = ["http", "https"].contains(start.scheme)
    guard isWeb == ["http", "https"].contains(target.scheme) else {
      throw .transport(
        .denied("the next page is said to be at `\(redacting(target.shown))`"), request: shown)
    }
    var request = TransportRequest(url: target.text, limits: limits)
    if target.origin == start.origin {
      request.headers = headers
      let names = target.queryNames
      request.query = query.filter { $0.value.isSecret && !names.contains($0.name) }
    } else {
      request.headers = headers.filter { !$0.isCredential }
    }
    return request
  }
}

extension RequestValue {
  fileprivate var isSecret: Bool { if case .secret = self { true } else { false } }
}

extension RequestParameter {
  /// Whether a header tells a server who asks.
  fileprivate var isCredential: Bool {
    value.isSecret
      || ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }
}
