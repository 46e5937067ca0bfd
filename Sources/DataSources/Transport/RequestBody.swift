public import DataTables

/// The body of a POST.
public struct RequestBody: Hashable, Sendable {
  public let bytes: [UInt8]
  /// Whether the request may be sent again after a failure: false for one that changes something.
  public let isRepeatable: Bool
  /// Whether the request only asks for content, as a search does, so that a cassette may respond.
  public let isQuery: Bool
  /// The object that ``bytes`` encode in JSON; nil for other bytes.
  public let object: Record?
  /// The secrets among the strings of ``object``; shown and recorded nowhere. One without a value is
  /// there as its symbol, which is never sent.
  public let secrets: [RequestValue]
  /// The media type, unless a header names another one.
  public let mediaType: String

  public init(_ bytes: [UInt8], isRepeatable: Bool) {
    self.bytes = bytes
    self.isRepeatable = isRepeatable
    isQuery = false
    object = nil
    secrets = []
    mediaType = "application/octet-stream"
  }

  /// A query, as search and GraphQL servers expect it: a string is sent as it is, any other value as
  /// JSON.
  ///
  /// - Parameter secrets: the strings of the value that are secret.
  public init(query value: Value, secrets: [RequestValue] = []) {
    self.secrets = secrets
    isRepeatable = true
    isQuery = true
    switch value {
    case .string(let text):
      bytes = Array(text.utf8)
      object = nil
      mediaType = "text/plain; charset=utf-8"
    default:
      bytes = Array(value.json.utf8)
      object = if case .record(let record) = value { record } else { nil }
      mediaType = "application/json"
    }
  }
}
