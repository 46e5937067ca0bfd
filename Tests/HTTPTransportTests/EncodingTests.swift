import DataSources
import TestServer
import Testing

@Suite struct EncodingTests {
  @Test(arguments: [
    ("gzip", "gzip"), ("gzip", "x-gzip"), ("gzip", "GZIP, identity"), ("members", "gzip"),
    ("zlib", "deflate"), ("raw", "deflate"),
  ])
  func everyEncodingIsDecompressed(form: String, name: String) async throws {
    try await TestServer.run { server in
      let plain = try await Client().get("\(server.url)/items")
      let encoded = try await Client().get(
        "\(server.url)/encoded", query: ["form": form, "as": name].parameters)
      #expect(encoded.body == plain.body)
    }
  }

  // The Content-Length is correct, so only the compressed data shows that the body is incomplete.
  @Test(arguments: [
    ("gzip", "gzip"), ("members", "gzip"), ("zlib", "deflate"), ("raw", "deflate"),
  ])
  func aTruncatedCompressedBodyIsATransientFailure(
    form: String, name: String
  ) async throws {
    try await TestServer.run { server in
      for lost in [1, 5, 9, 40, 80] {
        let query = ["form": form, "as": name, "lost": "\(lost)"].parameters
        let failure = await Client().failure("\(server.url)/encoded", query: query)
        #expect(
          failure
            == .network(
              "127.0.0.1:\(server.port) sent an incomplete compressed body", isTransient: true),
          "\(lost) bytes lost")
      }
    }
  }

  @Test func bytesBeforeACompressedBodyBreaksAreDelivered() async throws {
    try await TestServer.run { server in
      let request = TransportRequest(url: "\(server.url)/encoded?lost=12")
      var bytes: [UInt8] = []
      let body = try await Client().transport.send(request).body
      await #expect(throws: TransportError.self) {
        for try await piece in body { bytes += piece }
      }
      #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"[{"id": 1, "name": "one"}"#))
    }
  }

  @Test func anEmptyBodyIsEmptyInAnyEncoding() async throws {
    try await TestServer.run { server in
      for name in ["gzip", "deflate", "br"] {
        let query = ["form": "nothing", "as": name].parameters
        let response = try await Client().get("\(server.url)/encoded", query: query)
        #expect(response.body == "")
      }
    }
  }

  @Test(arguments: [("junk", "gzip"), ("gzip", "deflate"), ("zlib", "gzip")])
  func bytesInAnotherFormatThanDeclaredFail(form: String, name: String) async throws {
    try await TestServer.run { server in
      let query = ["form": form, "as": name].parameters
      let failure = await Client().failure("\(server.url)/encoded", query: query)
      #expect(
        failure
          == .network(
            "127.0.0.1:\(server.port) sent a body that cannot be decompressed", isTransient: false)
      )
    }
  }

  @Test(arguments: ["br", "gzip, gzip"])
  func anUnrequestedEncodingFailsWithItsName(name: String) async throws {
    try await TestServer.run { server in
      let query = ["as": name].parameters
      let failure = try #require(await Client().failure("\(server.url)/encoded", query: query))
      guard case .network(let message, isTransient: false) = failure else {
        Issue.record("\(failure)")
        return
      }
      #expect(message.contains("127.0.0.1:\(server.port) sent a body in the encoding `\(name)`"))
    }
  }

  @Test func theLimitCountsDecompressedBytes() async throws {
    try await TestServer.run { server in
      let size = try await Client().get("\(server.url)/items").body.utf8.count
      let url = "\(server.url)/encoded"
      let whole = try await Client().get(url) { $0.bodySize = size }
      #expect(whole.body.utf8.count == size)
      let failure = await Client().failure(url) { $0.bodySize = size - 1 }
      let tooLarge = "the response of 127.0.0.1:\(server.port) is larger than \(size - 1) bytes"
      #expect(failure == .limit(tooLarge, setting: "bodySize"))
    }
  }

  @Test func acceptedEncodingsAreSentUnlessTheRequestSetsThem() async throws {
    try await TestServer.run { server in
      _ = try await Client().get("\(server.url)/items")
      #expect(server.requests.last?.header("Accept-Encoding") == "gzip, deflate")
      let own = RequestParameter("accept-encoding", .plain("identity"))
      _ = try await Client().get("\(server.url)/items", headers: [own])
      #expect(server.requests.last?.header("Accept-Encoding") == "identity")
    }
  }
}

extension [String: String] {
  fileprivate var parameters: [RequestParameter] {
    map { RequestParameter($0.key, .plain($0.value)) }
  }
}
