/// Sends requests and gives what was answered: a file, HTTP, a cassette, a stub.
///
/// One is asked from many tasks at the same time. The end of the task stops the request at once.
public protocol Transport: Sendable {
  /// Sends a request, and returns when the head of the answer has come; the body comes as it is
  /// asked for. An answer of any status is an answer.
  /// - Throws: ``TransportError``, also out of the body.
  func send(_ request: TransportRequest) async throws -> TransportResponse
  /// How what breaks in mid body is asked for again.
  var retry: Retry { get }
}

extension Transport {
  /// By the machine's clock, and by chance.
  public var retry: Retry { Retry() }
}
