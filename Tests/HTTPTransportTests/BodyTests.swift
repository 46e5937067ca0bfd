import DataSources
import TestServer
import Testing

@Suite struct BodyTests {
  @Test func aCompressedBodyIsDecompressed() async throws {
    try await TestServer.run { server in
      let plain = try await Client().get("\(server.url)/items")
      let compressed = try await Client().get("\(server.url)/gzip")
      #expect(compressed.header("Content-Encoding") == "gzip")
      #expect(compressed.body == plain.body)
    }
  }

  @Test func aBodyInChunksIsComplete() async throws {
    try await TestServer.run { server in
      let response = try await Client().get("\(server.url)/bytes?count=100000&chunked=1")
      #expect(response.header("Transfer-Encoding") == "chunked")
      #expect(response.body == String(repeating: "x", count: 100_000))
    }
  }

  @Test func aBodyLargerThanTheBufferIsComplete() async throws {
    try await TestServer.run { server in
      let request = TransportRequest(url: "\(server.url)/bytes?count=5000000")
      var count = 0
      for try await piece in try await Client().transport.send(request).body {
        count += piece.count
        // A reader that is slower than the server.
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(count == 5_000_000)
    }
  }

  @Test func aBodyBeyondTheLimitFails() async throws {
    try await TestServer.run { server in
      let place = "127.0.0.1:\(server.port)"
      let tooLarge = TransportError.limit(
        "the response of \(place) is larger than 99 bytes", setting: "bodySize")
      #expect(
        await Client().failure("\(server.url)/bytes?count=100") { $0.bodySize = 99 } == tooLarge)
      let whole = try await Client().get("\(server.url)/bytes?count=99") { $0.bodySize = 99 }
      #expect(whole.body.count == 99)
    }
  }

  @Test func aDecompressionBombIsStoppedAtTheLimit() async throws {
    try await TestServer.run { server in
      // 100 MB, in 100 kB on the wire.
      let failure = await Client().failure("\(server.url)/bomb?megabytes=100") {
        $0.bodySize = 1_000_000
      }
      guard case .limit(_, setting: "bodySize") = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }
  }

  @Test func aDecompressionBombIsReadAtThePaceOfItsReader() async throws {
    try await TestServer.run { server in
      let request = TransportRequest(url: "\(server.url)/bomb?megabytes=60")
      var largest = 0
      var count = 0
      for try await piece in try await Client().transport.send(request).body {
        largest = max(largest, piece.count)
        count += piece.count
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(count > 59_000_000)
      #expect(largest < 2_000_000)
    }
  }

  @Test func anEndlessBodyFailsAndItsConnectionCloses() async throws {
    try await FaultServer.run { server in
      // Other tests may keep all processors busy: only the limit of the size should apply.
      let failure = await Client().failure("\(server.url)/endless") {
        $0.bodySize = 300_000
        $0.timeout = 1_000
      }
      #expect(
        failure
          == .limit(
            "the response of 127.0.0.1:\(server.port) is larger than 300000 bytes",
            setting: "bodySize"))
      #expect(await eventually { server.abandoned == ["/endless"] })
    }
  }

  @Test func anUnreadBodyClosesItsConnection() async throws {
    try await FaultServer.run { server in
      let client = Client()
      let request = TransportRequest(url: "\(server.url)/endless")
      let status = try await client.transport.send(request).status
      #expect(status == 200)
      #expect(await eventually { server.abandoned == ["/endless"] })
    }
  }

  @Test(arguments: ["no-reason", "hints", "trailer"])
  func anUnusualResponseIsAccepted(name: String) async throws {
    try await FaultServer.run { server in
      let response = try await Client().get("\(server.url)/raw?\(name)")
      #expect(response.status == 200)
      #expect(response.body == "ok")
      #expect(response.header("Link") == nil)
      #expect(response.header("X-Late") == nil)
    }
  }

  @Test func aFoldedHeaderIsJoined() async throws {
    try await FaultServer.run { server in
      let response = try await Client().get("\(server.url)/raw?folded")
      #expect(response.header("X-Long") == "a b")
    }
  }

  @Test func noContentIsAnEmptyBody() async throws {
    try await FaultServer.run { server in
      let response = try await Client().get("\(server.url)/raw?no-content")
      #expect(response.status == 204)
      #expect(response.body == "")
      #expect(try await Client().get("\(server.url)/raw?no-realm").status == 401)
    }
  }
}
