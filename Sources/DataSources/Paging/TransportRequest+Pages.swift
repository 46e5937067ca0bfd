extension TransportRequest {
  /// The request with more parameters behind those it has.
  func adding(_ parameters: [(String, Int)]) -> TransportRequest {
    var request = self
    request.query += parameters.map { RequestParameter($0.0, .plain(String($0.1))) }
    return request
  }

  /// The request for what a link in an answer leads to.
  ///
  /// The link has its query already; what is secret here stays so there. To the host that was asked
  /// first it goes with the headers, with the secret parameters that the link lacks and, unless the
  /// link names somebody, with the login; to any other without whatever tells who asks.
  ///
  /// - Parameter url: where the answer came from.
  /// - Throws: ``SourceError``, `denied` for a link from the web to files, or the other way.
  func following(_ link: String, from url: String) throws(SourceError) -> TransportRequest {
    var target = URLParts(url).resolving(link)
    let start = URLParts(self.url)
    let isWeb = ["http", "https"].contains(start.scheme)
    guard isWeb == ["http", "https"].contains(target.scheme) else {
      throw .transport(
        .denied("the next page is said to be at `\(redacting(target.shown))`"), request: shown)
    }
    let names = target.queryFields.map(\.name)
    let secrets = target.removeSecrets(of: self)
    let isSameOrigin = target.origin == start.origin
    if isSameOrigin { target.takeLogin(of: start) }
    var request = TransportRequest(url: target.text, query: secrets, limits: limits)
    request.withheld = withheld
    if isSameOrigin {
      request.headers = headers
      request.query += query.filter { $0.value.isSecret && !names.contains($0.name) }
    } else {
      request.headers = headers.filter { !$0.isCredential }
      request.withheld += (query + headers).filter(\.value.isSecret)
    }
    return request
  }
}

extension URLParts {
  /// Takes the parts out of the query whose value is, or holds, a secret of a request.
  /// - Returns: These parts, as the secrets they are.
  fileprivate mutating func removeSecrets(of request: TransportRequest) -> [RequestParameter] {
    guard let query else { return [] }
    let secrets = (request.query + request.headers + request.withheld).map(\.value).filter {
      $0.isSecret && !$0.sent.isEmpty
    }
    var removed: [RequestParameter] = []
    let rest = query.split(separator: "&", omittingEmptySubsequences: false).filter { part in
      let name = part.prefix { $0 != "=" }
      let value = part.dropFirst(name.count + 1)
      // A plus is a space in forms, and itself elsewhere.
      let meant = [value, value.replacing("+", with: "%20")[...]].map(PercentEncoding.text)
      if let secret = secrets.first(where: { meant.contains($0.sent) }) {
        removed.append(RequestParameter(PercentEncoding.text(of: name), secret))
        return false
      }
      // What is short is in many values by chance.
      let inner = secrets.first { secret in
        secret.sent.utf8.count >= RequestValue.tellingLength
          && meant.contains { $0.contains(secret.sent) }
      }
      guard let inner else { return true }
      let whole = meant.last { $0.contains(inner.sent) } ?? inner.sent
      removed.append(
        RequestParameter(
          PercentEncoding.text(of: name), .secret(whole, symbol: inner.shown)))
      return false
    }
    self.query = rest.isEmpty ? nil : rest.joined(separator: "&")
    return removed
  }

  /// Names the user and the password of another URL, unless some are named already.
  fileprivate mutating func takeLogin(of start: URLParts) {
    guard let authority, !authority.contains("@"), let login = start.authority,
      let sign = login.lastIndex(of: "@")
    else { return }
    self.authority = login[...sign] + authority
  }
}
