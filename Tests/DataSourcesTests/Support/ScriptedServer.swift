import DataSources
import DataTables
import Synchronization

/// Answers requests in memory as a test says, and writes down what was asked.
final class ScriptedServer: Transport {
  typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

  private struct State {
    var answer: Answer
    var requests: [TransportRequest] = []
  }
  private let state: Mutex<State>

  init(_ answer: @escaping Answer) { state = Mutex(State(answer: answer)) }

  /// Answers one text after another, the last one again and again.
  convenience init(json texts: String...) {
    let places = Mutex(0)
    self.init { _ in
      let place = places.withLock { place in
        defer { place = min(place + 1, texts.count - 1) }
        return place
      }
      return .json(texts[place])
    }
  }

  var requests: [TransportRequest] { state.withLock { $0.requests } }
  /// The URLs that were asked for.
  var urls: [String] { requests.map(\.sentURL) }

  func answer(with answer: @escaping Answer) { state.withLock { $0.answer = answer } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answer
    }
    return try await answer(request)
  }
}

extension TransportResponse {
  /// An answer with a body in pieces of a few bytes.
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

/// Asks `http://example.test/list` through a transport.
func remote(
  _ transport: any Transport, keyPath: String? = nil, path: String = "/list", name: String = "list"
) throws -> RemoteSource {
  var options = ReadOptions()
  options.keyPath = try keyPath.map { try DataSourcesTests.path($0) }
  return RemoteSource(
    TransportRequest(url: "http://example.test\(path)"), through: transport, options: options,
    name: name)
}
