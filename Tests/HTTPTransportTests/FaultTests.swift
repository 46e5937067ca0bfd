import DataSources
import TestServer
import Testing

@Suite struct FaultTests {
  @Test func aRefusedConnectionIsReportedWithHostAndPort() async throws {
    let port = try UnansweredPort.refusing()
    let failure = await Client().failure("http://ann:secret@127.0.0.1:\(port)/x?token=1")
    #expect(
      failure
        == .network(
          "could not connect to 127.0.0.1:\(port): Connection refused", isTransient: true))
  }

  @Test func anUnknownHostIsReportedByName() async throws {
    let failure = await Client().failure("http://missing.invalid/x")
    #expect(failure == .network("unknown host `missing.invalid`", isTransient: false))
  }

  @Test(arguments: ["drop?after=10", "short", "chunk"])
  func aTruncatedBodyIsATransientFailure(fault: String) async throws {
    try await FaultServer.run { server in
      let failure = try #require(await Client().failure("\(server.url)/\(fault)"))
      #expect(failure.isTransientNetwork)
      #expect(failure.message.contains("127.0.0.1:\(server.port)"))
      #expect(failure.message.contains("in mid body"))
    }
  }

  @Test func bytesBeforeABodyBreaksAreDelivered() async throws {
    try await FaultServer.run { server in
      let request = TransportRequest(url: "\(server.url)/short")
      var bytes: [UInt8] = []
      let body = try await Client().transport.send(request).body
      await #expect(throws: TransportError.self) {
        for try await piece in body { bytes += piece }
      }
      #expect(bytes == Array("ok".utf8))
    }
  }

  @Test(arguments: ["reset", "head", "raw?nothing"])
  func aConnectionThatEndsBeforeTheResponseIsATransientFailure(fault: String) async throws {
    try await FaultServer.run { server in
      let failure = try #require(await Client().failure("\(server.url)/\(fault)"))
      #expect(failure.isTransientNetwork)
      #expect(failure.message.contains("127.0.0.1:\(server.port)"))
    }
  }

  @Test func aServerOfAnotherProtocolFails() async throws {
    try await FaultServer.run { server in
      let failure = await Client().failure("\(server.url)/raw?not-http")
      #expect(
        failure
          == .network("127.0.0.1:\(server.port) does not respond in HTTP", isTransient: false))
    }
  }

  /// libcurl ignores such a length, and a part of the body would pass as the whole.
  @Test func anImpossibleLengthFails() async throws {
    try await FaultServer.run { server in
      let failure = await Client().failure("\(server.url)/raw?long-length")
      #expect(
        failure
          == .network(
            "127.0.0.1:\(server.port) declares an impossible length of its response: "
              + "10000000000000000000000000 bytes", isTransient: false))
    }
  }

  @Test func aHeaderThatIsTooLargeFails() async throws {
    try await FaultServer.run { server in
      let failure = try #require(await Client().failure("\(server.url)/raw?long-header"))
      #expect(!failure.isTransientNetwork)
      #expect(failure.message.hasPrefix("127.0.0.1:\(server.port) sends "))
      #expect(failure.message.contains("header"))
    }
  }

  @Test func aBodyThatCannotBeDecompressedFails() async throws {
    try await FaultServer.run { server in
      let failure = await Client().failure("\(server.url)/raw?no-gzip")
      #expect(
        failure
          == .network(
            "127.0.0.1:\(server.port) sent a body that cannot be decompressed", isTransient: false))
    }
  }

  @Test func aServerWithoutTLSFails() async throws {
    try await FaultServer.run { server in
      let failure = try #require(await Client().failure("https://127.0.0.1:\(server.port)/short"))
      guard case .network(let message, isTransient: false) = failure else {
        Issue.record("\(failure)")
        return
      }
      #expect(message.hasPrefix("no secure connection to 127.0.0.1:\(server.port): "))
    }
  }

  @Test func endlessHeadersFail() async throws {
    try await FaultServer.run { server in
      let failure = await Client().failure("\(server.url)/headers")
      #expect(failure?.message.contains("127.0.0.1:\(server.port)") == true)
      #expect(await eventually { server.abandoned == ["/headers"] })
    }
  }
}
