import DataSources

/// Asks servers on ports of this machine under the names that scripts know them by.
struct RehostedTransport: Transport {
  let base: any Transport
  /// `http://example.test` and the URL of the server that answers for it.
  let hosts: [String: String]

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    for (name, server) in hosts where request.url.hasPrefix(name) {
      request.url = server + request.url.dropFirst(name.count)
    }
    let response = try await base.send(request)
    var url = response.url
    for (name, server) in hosts where url.hasPrefix(server) {
      url = name + url.dropFirst(server.count)
    }
    return TransportResponse(
      status: response.status, headers: response.headers, url: url, body: response.body)
  }
}
