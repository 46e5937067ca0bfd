import DataSources

/// Responds with a handler.
struct ScriptedTransport: Transport {
  let handler: @Sendable (TransportRequest) async throws -> TransportResponse

  init(_ handler: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
    self.handler = handler
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await handler(request)
  }

  /// Fails every request.
  static let none = ScriptedTransport { _ in
    throw TransportError.network("no server here", isTransient: false)
  }
}

extension TransportResponse {
  /// A response in pieces, with the fault that ends it early.
  init(
    _ status: Int = 200, _ headers: [HeaderField] = [], url: String = "http://example.test/",
    pieces: [[UInt8]], fault: (any Error)? = nil
  ) {
    self.init(
      status: status, headers: headers, url: url,
      body: TransportBody { continuation in
        for piece in pieces { continuation.yield(piece) }
        continuation.finish(throwing: fault)
      })
  }

  init(_ text: String, status: Int = 200, headers: [HeaderField] = []) {
    self.init(status, headers, pieces: [Array(text.utf8)])
  }

  /// The pieces, and the fault that ended the body; nil for a complete one.
  func read() async -> (pieces: [[UInt8]], fault: TransportError?) {
    var pieces: [[UInt8]] = []
    do {
      for try await piece in body { pieces.append(piece) }
      return (pieces, nil)
    } catch {
      return (pieces, error as? TransportError)
    }
  }

  var text: String {
    get async { String(decoding: await read().pieces.joined(), as: UTF8.self) }
  }
}
