import DataSources
import HTTPTransport

/// A transport that returns whole responses to the tests.
struct Client {
  var transport: any Transport = HTTPTransport(userAgent: "dsshell/test")

  struct Response {
    let status: Int
    let url: String
    let headers: [HeaderField]
    let body: String

    func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  func get(
    _ url: String, query: [RequestParameter] = [], headers: [RequestParameter] = [],
    limits change: (inout TransferLimits) -> Void = { _ in }
  ) async throws -> Response {
    var request = TransportRequest(url: url, query: query, headers: headers)
    change(&request.limits)
    let response = try await transport.send(request)
    var bytes: [UInt8] = []
    for try await piece in response.body { bytes += piece }
    return Response(
      status: response.status, url: response.url, headers: response.headers,
      body: String(decoding: bytes, as: UTF8.self))
  }

  /// The error of a request; nil if it succeeds.
  func failure(
    _ url: String, query: [RequestParameter] = [], headers: [RequestParameter] = [],
    limits change: (inout TransferLimits) -> Void = { _ in }
  ) async -> TransportError? {
    do {
      _ = try await get(url, query: query, headers: headers, limits: change)
      return nil
    } catch {
      return error as? TransportError
    }
  }
}

extension TransportError {
  var isTransientNetwork: Bool {
    if case .network(_, isTransient: true) = self { true } else { false }
  }
}
