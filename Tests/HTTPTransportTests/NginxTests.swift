import DataSources
import DataTables
import HTTPTransport
import TestServer
import Testing

/// Sources behind nginx: HTTP/2, TLS with an authority of the test, compressed bodies.
@Suite(.requiresNginx) struct NginxTests {
  /// Runs `body` with nginx in front of the test server, and a transport that trusts its authority.
  private func withServer(
    _ body: (_ url: String, _ transport: HTTPTransport, _ server: TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run { server in
      let nginx = try NginxServer(before: server.url)
      try await body(nginx.url, HTTPTransport(certificates: nginx.authority), server)
    }
  }

  private func pages(
    _ url: String, _ transport: HTTPTransport, _ paging: Paging
  ) throws -> PaginatedSource {
    var options = ReadOptions()
    options.keyPath = try ObjectKeyPath(parsing: "items")
    return PaginatedSource(
      TransportRequest(url: url), through: transport, paging: paging, options: options,
      formats: .core)
  }

  private func header(_ name: String, of exchange: LoggedExchange) -> String? {
    exchange.responseHeaders.first { $0.name.lowercased() == name }?.value
  }

  private func numbers(of source: PaginatedSource) async throws -> [Value] {
    let key = ObjectKeyPath(key: "id")
    return try await source.allObjects().map { key.evaluate(on: $0) }
  }

  @Test func cursorsAreFollowedOverCompressedHTTP2() async throws {
    try await withServer { url, transport, _ in
      var paging = Paging(.cursor)
      paging.cursor = try ObjectKeyPath(parsing: "next")
      let source = try pages("\(url)/cursor?total=9", transport, paging)
      try await source.fetchAllPages()
      #expect(try await numbers(of: source) == (1...9).map { .integer($0) })
      #expect(source.exchanges.count == 5)
      for exchange in source.exchanges {
        #expect(exchange.status == 200 && exchange.bytes > 0)
        #expect(header("x-protocol", of: exchange) == "HTTP/2.0")
        #expect(header("content-encoding", of: exchange) == "gzip")
      }
    }
  }

  @Test func pagesSideBySideShareTheServer() async throws {
    try await withServer { url, transport, server in
      let source = try pages("\(url)/pages?total=40", transport, Paging())
      try await source.fetchAllPages()
      #expect(try await numbers(of: source) == (1...40).map { .integer($0) })
      #expect(source.exchanges.count == 20 && server.requests.count == 20)
    }
  }

  @Test func contentThatHasNotChangedIsNotSentAgain() async throws {
    try await withServer { url, transport, _ in
      let source = RemoteSource(
        TransportRequest(url: "\(url)/modified"), through: transport, formats: .core)
      try await source.fetchData()
      try await source.fetchData()
      #expect(source.numberOfObjects == 3)
      #expect(source.exchanges.map(\.status) == [304])
    }
  }

  @Test func aClientIdentifiesItselfWithACertificate() async throws {
    try await TestServer.run { server in
      let nginx = try NginxServer(before: server.url)
      var request = TransportRequest(url: "\(nginx.url)/items")
      func client(_ request: TransportRequest) async throws -> String? {
        let transport = HTTPTransport(certificates: nginx.authority)
        return try await transport.send(request)[header: "X-Client"]
      }
      #expect(try await client(request) == "NONE")
      request.identity.certificate = nginx.client.certificate
      request.identity.certificateKey = nginx.client.key
      #expect(try await client(request) == "SUCCESS")
      request.identity.certificateKey = "/nowhere/none.pem"
      await #expect(throws: TransportError.self) { try await client(request) }
    }
  }

  @Test func anAuthorityThatIsNotTrustedIsRefused() async throws {
    try await withServer { url, _, server in
      let source = RemoteSource(
        TransportRequest(url: "\(url)/items"), through: HTTPTransport(), formats: .core)
      await #expect(throws: SourceError.self) { try await source.fetchData() }
      #expect(source.error?.message.contains("no secure connection to 127.0.0.1:") == true)
      #expect(source.exchanges.count == 1 && source.exchanges[0].failure != nil)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func aServerBehindItThatIsGoneIsATemporaryFailure() async throws {
    let port = try UnansweredPort.refusing()
    let nginx = try NginxServer(before: "http://127.0.0.1:\(port)")
    let transport = HTTPTransport(certificates: nginx.authority)
    let request = TransportRequest(url: "\(nginx.url)/items")
    let status = try await transport.exchange(request, retry: Retry(random: { 0 })) { $0.status }
    #expect(status == 502)
  }

  /// The faults of HTTP/1 reach the client as those of HTTP/2, or as answers of nginx.
  @Test(arguments: [
    "drop?after=10", "short", "chunk", "reset", "head", "headers", "raw?nothing", "raw?not-http",
    "raw?long-header", "raw?no-gzip",
  ])
  func aFaultBehindItIsAnErrorOrAStatus(fault: String) async throws {
    try await FaultServer.run { server in
      let nginx = try NginxServer(before: server.url)
      let client = Client(transport: HTTPTransport(certificates: nginx.authority))
      do {
        let response = try await client.get("\(nginx.url)/\(fault)")
        #expect(response.status == 502, "\(response)")
      } catch TransportError.network(let message, _) {
        #expect(message.contains(nginx.url.dropFirst("https://".count)))
      }
    }
  }
}
