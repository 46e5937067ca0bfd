/// The identity of a request on a cassette: its method, its URL, with the query in any order, the
/// stored headers and the body.
struct RequestKey: Hashable, Sendable {
  private let method: String
  private let scheme: String
  private let host: String
  private let path: String
  /// Sorted by name; parameters of the same name in their order.
  private let query: [HeaderField]
  /// Sorted by name, lowercase.
  private let headers: [HeaderField]
  private let body: String

  init(_ request: RecordedRequest) {
    method = request.method
    body = request.body
    let url = RequestURL(request.url)
    scheme = url.scheme
    host = url.host
    path = url.path
    query = Self.sorted(url.query)
    headers = Self.sorted(
      request.headers.map { HeaderField($0.name.lowercased(), $0.value) }
        .filter { !RecordedHeaders.conditions.contains($0.name) })
  }

  private static func sorted(_ fields: [HeaderField]) -> [HeaderField] {
    fields.enumerated().sorted { left, right in
      if left.element.name == right.element.name { return left.offset < right.offset }
      return left.element.name.utf8.lexicographicallyPrecedes(right.element.name.utf8)
    }.map(\.element)
  }

  /// Whether a recorded request is the same except for its redacted secrets.
  func matches(_ recorded: RequestKey) -> Bool {
    method == recorded.method && scheme == recorded.scheme && host == recorded.host
      && path.matches(recorded.path) && body.matches(recorded.body)
      && Self.matches(query, recorded.query) && Self.matches(headers, recorded.headers)
  }

  private static func matches(_ requested: [HeaderField], _ recorded: [HeaderField]) -> Bool {
    requested.count == recorded.count
      && zip(requested, recorded).allSatisfy { $0.name == $1.name && $0.value.matches($1.value) }
  }

  /// The differences from a recorded request, as phrases: `query page is 3, recorded 2`.
  func differences(from recorded: RequestKey) -> [Difference] {
    var differences: [Difference] = []
    if method != recorded.method {
      differences.append(Difference("method", method, recorded.method, weight: 4))
    }
    if body != recorded.body {
      differences.append(
        Difference("body", Self.excerpt(body), Self.excerpt(recorded.body), weight: 1))
    }
    if scheme != recorded.scheme {
      differences.append(Difference("scheme", scheme, recorded.scheme, weight: 1))
    }
    if host != recorded.host {
      differences.append(Difference("host", host, recorded.host, weight: 3))
    }
    if path != recorded.path {
      let isNear =
        path.split(separator: "/").dropLast() == recorded.path.split(separator: "/").dropLast()
      differences.append(Difference("path", path, recorded.path, weight: isNear ? 3 : 4))
    }
    differences += Self.differences("query", query, recorded.query)
    differences += Self.differences("header", headers, recorded.headers)
    return differences
  }

  private static func excerpt(_ body: String) -> String {
    body.isEmpty ? "empty" : body.count <= 200 ? body : body.prefix(199) + "…"
  }

  struct Difference {
    let text: String
    /// The weight of the difference in the search for the closest request.
    let weight: Int

    init(_ what: String, _ requested: String?, _ recorded: String?, weight: Int) {
      switch (requested, recorded) {
      case (let requested?, let recorded?): text = "\(what) is \(requested), recorded \(recorded)"
      case (let requested?, nil): text = "\(what) is \(requested), recorded without"
      case (nil, let recorded): text = "\(what) is missing, recorded \(recorded ?? "")"
      }
      self.weight = weight
    }
  }

  private static func differences(
    _ what: String, _ requested: [HeaderField], _ recorded: [HeaderField]
  ) -> [Difference] {
    var differences: [Difference] = []
    var rest = recorded
    for field in requested {
      if let index = rest.firstIndex(of: field) {
        rest.remove(at: index)
      } else if let index = rest.firstIndex(where: { other in
        other.name == field.name && !requested.contains(other)
      }) {
        let other = rest.remove(at: index)
        differences.append(Difference("\(what) \(field.name)", field.value, other.value, weight: 1))
      } else {
        differences.append(Difference("\(what) \(field.name)", field.value, nil, weight: 1))
      }
    }
    return differences
      + rest.map { Difference("\(what) \($0.name)", nil, $0.value, weight: 1) }
  }
}

extension String {
  /// Whether it equals a recorded string in which ``Redactor/mark`` matches anything.
  fileprivate func matches(_ recorded: String) -> Bool {
    let parts = recorded.split(separator: Redactor.mark, omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return self == recorded
    }
    guard count >= first.count + last.count, hasPrefix(first), hasSuffix(last) else { return false }
    var rest = dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
