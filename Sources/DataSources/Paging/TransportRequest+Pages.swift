import DataTables

extension TransportRequest {
  /// A copy with parameters: members of the object in its body, where a name may be a path of keys, or
  /// else appended to the query.
  func adding(_ parameters: [(name: String, value: Value)]) -> TransportRequest {
    var request = self
    if let body, let object = body.object {
      let changed = parameters.reduce(object) { object, parameter in
        object.replacing(parameter.name.split(separator: ".")[...], with: parameter.value)
      }
      request.body = RequestBody(query: .record(changed), secrets: body.secrets)
    } else {
      request.query += parameters.map { RequestParameter($0.name, .plain($0.value.parameterText)) }
    }
    return request
  }

  /// A copy without a parameter in the query and the URL, unless parameters are members of the body.
  func removing(_ name: String) -> TransportRequest {
    guard body?.object == nil else { return self }
    var request = self
    request.query.removeAll { $0.name == name }
    var parts = URLParts(url)
    let fields = parts.query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
    let rest = fields.filter { PercentEncoding.text(of: $0.prefix { $0 != "=" }) != name }
    if rest.count < fields.count {
      parts.query = rest.isEmpty ? nil : rest.joined(separator: "&")
      request.url = parts.text
    }
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
  ///   other way around, and for a link of a POST to another origin.
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
    guard isSameOrigin || body == nil else {
      throw .transport(
        .denied(
          "the next page is at `\(redacting(target.shown))`, and a POST is not sent to another origin"
        ),
        request: shown)
    }
    if isSameOrigin { target.copyLogin(of: origin) }
    var request = TransportRequest(url: target.text, query: secrets, limits: limits)
    request.withheld = withheld
    if isSameOrigin {
      request.body = body
      request.identity = identity
      request.headers = headers
      request.query += query.filter { $0.value.isSecret && !names.contains($0.name) }
    } else {
      request.headers = headers.filter { !$0.isCredential }
      request.withheld += (query + headers).filter(\.value.isSecret) + identity.secrets
    }
    return request
  }
}

extension Record {
  /// A copy with another value at a path of keys; records that the path lacks are added.
  fileprivate func replacing(_ path: ArraySlice<Substring>, with value: Value) -> Record {
    guard let first = path.first else { return self }
    let key = String(first)
    let rest = path.dropFirst()
    guard !rest.isEmpty else { return replacing(key, with: value) }
    let inner = if case .record(let record)? = self[key] { record } else { Record([]) }
    return replacing(key, with: .record(inner.replacing(rest, with: value)))
  }
}

extension Value {
  /// The text in a query: a string itself, any other value as JSON.
  var parameterText: String { if case .string(let text) = self { text } else { json } }
}

extension URLParts {
  /// Removes the query parameters whose value is, or contains, a secret of a request.
  /// - Returns: The removed parameters, as secrets.
  fileprivate mutating func removeSecrets(of request: TransportRequest) -> [RequestParameter] {
    guard let query else { return [] }
    let parameters = request.query + request.headers + request.withheld
    let secrets = (parameters.map(\.value) + (request.body?.secrets ?? [])).filter {
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
