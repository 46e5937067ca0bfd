import DataSources
import DataTables
import Synchronization

/// Responds to requests with a handler that a test sets, and records them.
final class ScriptedServer: Transport {
  typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

  private struct State {
    var handler: Handler
    var requests: [TransportRequest] = []
  }
  private let state: Mutex<State>

  init(_ handler: @escaping Handler) { state = Mutex(State(handler: handler)) }

  /// Responds with one text after another, then always with the last one.
  convenience init(json texts: String...) {
    let indices = Mutex(0)
    self.init { _ in
      let index = indices.withLock { index in
        defer { index = min(index + 1, texts.count - 1) }
        return index
      }
      return .json(texts[index])
    }
  }

  var requests: [TransportRequest] { state.withLock { $0.requests } }
  /// The URLs of the requests.
  var urls: [String] { requests.map(\.sentURL) }

  func respond(with handler: @escaping Handler) { state.withLock { $0.handler = handler } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let handler = state.withLock { state in
      state.requests.append(request)
      return state.handler
    }
    return try await handler(request)
  }
}

extension TransportResponse {
  /// A response with a body in pieces of a few bytes.
  static func text(
    _ text: String, type: String?, status: Int = 200, headers: [HeaderField] = [],
    url: String = "http://example.test/list"
  ) -> TransportResponse {
    bytes(
      Array(text.utf8), status: status,
      headers: (type.map { [HeaderField("Content-Type", $0)] } ?? []) + headers, url: url)
  }

  static func bytes(
    _ bytes: [UInt8], status: Int = 200, headers: [HeaderField] = [],
    url: String = "http://example.test/list"
  ) -> TransportResponse {
    let body = TransportBody { continuation in
      for start in stride(from: 0, to: bytes.count, by: 7) {
        continuation.yield(Array(bytes[start..<min(start + 7, bytes.count)]))
      }
      continuation.finish()
    }
    return TransportResponse(status: status, headers: headers, url: url, body: body)
  }

  static func json(
    _ text: String, status: Int = 200, headers: [HeaderField] = [],
    url: String = "http://example.test/list"
  ) -> TransportResponse {
    .text(text, type: "application/json", status: status, headers: headers, url: url)
  }
}

/// A source of `http://example.test/list` through a transport.
func remote(
  _ transport: any Transport, keyPath: String? = nil, path: String = "/list", name: String = "list"
) throws -> RemoteSource {
  var options = ReadOptions()
  options.keyPath = try keyPath.map { try DataSourcesTests.path($0) }
  return RemoteSource(
    TransportRequest(url: "http://example.test\(path)"), through: transport, options: options,
    formats: .core,
    name: name)
}
