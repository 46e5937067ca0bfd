import FlyingFox
import Foundation
import Synchronization

/// The responses of the server, by path. Another path returns 404 with the body `no such list`.
struct Routes: Sendable {
  typealias Route = @Sendable (ReceivedRequest) async throws -> HTTPResponse

  private let table: [String: Route]

  init() {
    let counts = Counts()
    let all = [
      Self.bodies, Self.encodings, Self.statuses(counts), Self.redirections, Self.pages(counts),
      Self.digest,
    ]
    table = all.reduce(into: [:]) { table, routes in table.merge(routes) { first, _ in first } }
  }

  func response(to request: ReceivedRequest) async throws -> HTTPResponse {
    guard let route = table[request.path] else {
      return .text(
        "no such list\nlook elsewhere\n", status: HTTPStatusCode(404, phrase: "Not Found"))
    }
    return try await route(request)
  }
}

/// The number of requests for each target.
final class Counts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// The number of this request among those for its target, from 1.
  func next(_ request: ReceivedRequest) -> Int {
    counts.withLock { counts in
      let count = (counts[request.target] ?? 0) + 1
      counts[request.target] = count
      return count
    }
  }
}

extension HTTPResponse {
  static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: HTTPStatusCode = .ok,
    headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    var headers = headers
    headers[.contentType] = type
    return HTTPResponse(statusCode: status, headers: headers, body: Data(text.utf8))
  }

  static func json(
    _ text: String, status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    .text(text, type: "application/json", status: status, headers: headers)
  }
}
