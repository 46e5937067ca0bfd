import DataSources

/// Answers as the test says.
struct ScriptedTransport: Transport {
  let answer: @Sendable (TransportRequest) async throws -> TransportResponse

  init(_ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
    self.answer = answer
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await answer(request)
  }

  /// Fails the way to everything.
  static let none = ScriptedTransport { _ in
    throw TransportError.network("nobody is asked here", isTransient: false)
  }
}

extension TransportResponse {
  /// An answer in pieces, with what ends it before its time.
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

  /// The pieces, and what ended the body.
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
