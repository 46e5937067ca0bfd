extension TransportRequest {
  /// A copy with parameters appended to the query.
  func adding(_ parameters: [(String, Int)]) -> TransportRequest {
    var request = self
    request.query += parameters.map { RequestParameter($0.0, .plain(String($0.1))) }
    return request
  }

  /// The request for the target of a link in a response.
  ///
  /// The new request has the query of the link, in which the secrets of this request stay secret. A
  /// request to the same origin keeps the headers, the secret parameters that the link lacks and,
  /// unless the link has a login, the login. A request to any other origin has no credentials.
  ///
  /// - Parameter url: the URL of the response.
  /// - Throws: ``SourceError``, `denied` for a link from http or https to another scheme, or the
  ///   other way around.
  func following(_ link: String, from url: String) throws(SourceError) -> TransportRequest {
    var target = URLParts(url).resolving(link)
    let origin = URLParts(self.url)
    let isWeb = ["http", "https"].contains(origin.scheme)
    guard isWeb == ["http", "https"].contains(target.scheme) else {
      throw .transport(
        .denied("the next page is at `\(redacting(target.shown))`"), request: shown)
    }
    let names = target.queryFields.map(\.name)
    let secrets = target.removeSecrets(of: self)
    let isSameOrigin = target.origin == origin.origin
    if isSameOrigin { target.copyLogin(of: origin) }
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
  /// Removes the query parameters whose value is, or contains, a secret of a request.
  /// - Returns: The removed parameters, as secrets.
  fileprivate mutating func removeSecrets(of request: TransportRequest) -> [RequestParameter] {
    guard let query else { return [] }
    let secrets = (request.query + request.headers + request.withheld).map(\.value).filter {
      $0.isSecret && !$0.sent.isEmpty
    }
    var removed: [RequestParameter] = []
    let rest = query.split(separator: "&", omittingEmptySubsequences: false).filter { part in
      let name = part.prefix { $0 != "=" }
      let value = part.dropFirst(name.count + 1)
      // A plus sign means a space in forms, and a plus sign elsewhere.
      let decoded = [value, value.replacing("+", with: "%20")[...]].map(PercentEncoding.text)
      if let secret = secrets.first(where: { decoded.contains($0.sent) }) {
        removed.append(RequestParameter(PercentEncoding.text(of: name), secret))
        return false
      }
      // A short secret also occurs in unrelated values.
      let contained = secrets.first { secret in
        secret.sent.utf8.count >= RequestValue.minimumSearchedLength
          && decoded.contains { $0.contains(secret.sent) }
      }
      guard let contained else { return true }
      let whole = decoded.last { $0.contains(contained.sent) } ?? contained.sent
      removed.append(
        RequestParameter(
          PercentEncoding.text(of: name), .secret(whole, symbol: contained.shown)))
      return false
    }
    self.query = rest.isEmpty ? nil : rest.joined(separator: "&")
    return removed
  }

  /// Copies the user and the password of another URL, unless this one has its own.
  fileprivate mutating func copyLogin(of other: URLParts) {
    guard let authority, !authority.contains("@"), let login = other.authority,
      let sign = login.lastIndex(of: "@")
    else { return }
    self.authority = login[...sign] + authority
  }
}
