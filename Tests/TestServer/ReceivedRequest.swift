import FlyingFox
import Synchronization

/// A received request.
package struct ReceivedRequest: Sendable {
  package let method: String
  /// Path and query as they were sent, percent-encoded.
  package let target: String
  /// The path without the query, decoded.
  package let path: String
  /// The values by lowercase name.
  package let headers: [String: String]
  package let body: [UInt8]
  private let query: [String: String]

  init(_ request: HTTPRequest) async throws {
    body = Array(try await request.bodyData)
    method = request.method.rawValue
    target = request.target.rawValue
    path = request.path
    var headers: [String: String] = [:]
    for (header, value) in request.headers { headers[header.rawValue.lowercased()] = value }
    self.headers = headers
    query = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The value of a query parameter.
  package subscript(name: String) -> String? { query[name] }

  package func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// The number in a query parameter; `other` if it is missing or not a number.
  func number(_ name: String, else other: Int) -> Int { self[name].flatMap(Int.init) ?? other }
}

/// The received requests, in order of arrival.
final class RequestLog: Sendable {
  private let received = Mutex<[ReceivedRequest]>([])

  var requests: [ReceivedRequest] { received.withLock { $0 } }

  func append(_ request: ReceivedRequest) {
    received.withLock { $0.append(request) }
  }
}
