/// The answer to a request.
public struct TransportResponse: Sendable {
  /// As HTTP numbers them; 200 of what has none, a file.
  public let status: Int
  /// In the order in which they came.
  public let headers: [HeaderField]
  /// Where the answer came from, after all redirections.
  public let url: String
  public let body: TransportBody

  public init(status: Int, headers: [HeaderField], url: String, body: TransportBody) {
    self.status = status
    self.headers = headers
    self.url = url
    self.body = body
  }

  /// The value of the first header of this name, whatever its case.
  public subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// A header of an answer.
public struct HeaderField: Hashable, Sendable {
  public let name: String
  public let value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
