import DataSources
import HTTPTransport
import TestServer
import Testing

@Suite struct PostTests {
  private func post(
    _ url: String, _ bytes: [UInt8], isRepeatable: Bool = true, headers: [RequestParameter] = [],
    through transport: HTTPTransport = HTTPTransport(userAgent: "dsshell/test")
  ) async throws -> TransportResponse {
    let body = RequestBody(bytes, isRepeatable: isRepeatable)
    var request = TransportRequest(url: url, headers: headers, body: body)
    // It covers all tries, and other tests may use all processors for a minute.
    request.limits.timeout = 600
    return try await transport.exchange(request, retry: Retry(random: { 0 })) { response in
      for try await _ in response.body {}
      return response
    }
  }

  @Test(arguments: [0, 1, 5000, 3_000_000])
  func aBodyIsSentAsAPost(size: Int) async throws {
    try await TestServer.run { server in
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      #expect(try await post("\(server.url)/echo", bytes).status == 200)
      let request = try #require(server.requests.first)
      #expect(request.method == "POST")
      #expect(request.body == bytes)
      #expect(request.header("Content-Type") == "application/octet-stream")
      #expect(request.header("Expect") == nil)
    }
  }

  @Test func aContentTypeIsSentAsGiven() async throws {
    try await TestServer.run { server in
      let type = RequestParameter("content-type", .plain("text/plain"))
      _ = try await post("\(server.url)/echo", [1], headers: [type])
      #expect(server.requests.first?.header("Content-Type") == "text/plain")
    }
  }

  @Test func aPostIsNotRedirected() async throws {
    try await TestServer.run { server in
      let response = try await post("\(server.url)/redirect?code=307", [1])
      #expect(response.status == 307)
      #expect(server.requests.count == 1)
    }
  }

  @Test func aPostThatMustNotBeRepeatedIsSentOnce() async throws {
    try await FaultServer.run { server in
      for isRepeatable in [true, false] {
        await #expect(throws: TransportError.self) {
          _ = try await post("\(server.url)/reset?\(isRepeatable)", [], isRepeatable: isRepeatable)
        }
      }
      #expect(server.targets == Array(repeating: "/reset?true", count: 3) + ["/reset?false"])
    }
  }

  // libcurl repeats a request by itself if a kept connection ends before any byte of the response.
  @Test func aBrokenKeptConnectionDoesNotRepeatAPost() async throws {
    try await FaultServer.run { server in
      for isRepeatable in [true, false] {
        let transport = HTTPTransport()
        for target in ["first", "second"] {
          let response = try await post(
            "\(server.url)/keep?\(isRepeatable)-\(target)", [], isRepeatable: isRepeatable,
            through: transport)
          #expect(response.status == 200)
        }
      }
      #expect(
        server.targets == [
          "/keep?true-first", "/keep?true-second", "/keep?true-second", "/keep?false-first",
          "/keep?false-second",
        ])
    }
  }

  @Test func aCassetteRefusesAPost() async throws {
    let router = TransportRouter(files: FileTransport(), network: HTTPTransport())
    let path = "/tmp/dsshell-post-\(UInt64.random(in: 0...UInt64.max)).cassette"
    try router.record(path)
    let body = RequestBody([1], isRepeatable: true)
    await #expect(
      throws: TransportError.denied(
        "a cassette has no POST requests other than searches: POST http://127.0.0.1:9/ needs the "
          + "server; `cassette off` lets it through")
    ) {
      _ = try await router.send(TransportRequest(url: "http://127.0.0.1:9/", body: body))
    }
  }
}
