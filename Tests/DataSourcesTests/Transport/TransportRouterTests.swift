import DataTables
import Testing

@testable import DataSources

@Suite struct TransportRouterTests {
  private let folder: TemporaryFolder
  private let router = TransportRouter(
    files: ScriptedTransport { _ in TransportResponse("file") },
    network: ScriptedTransport { _ in TransportResponse("network") })

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("stub", to: "a.txt")
    try folder.write("dsshell cassette 1\nGET http://a.test/x\n< 200\n| tape\n", to: "t.cassette")
  }

  private func text(of url: String) async throws -> String {
    try await router.send(TransportRequest(url: url)).text
  }

  private func stub(_ url: String) throws {
    router.add(try StubTransport(url: url, path: folder.path(of: "a.txt"), formats: .core))
  }

  @Test func theSchemeSelectsTheTransport() async throws {
    #expect(try await text(of: "http://a.test/x") == "network")
    #expect(try await text(of: "HTTPS://a.test/x") == "network")
    #expect(try await text(of: "file:///x") == "file")
    for url in ["ftp://a.test/x", "a.test/x", ""] {
      await #expect {
        try await text(of: url)
      } throws: { error in
        guard case TransportError.badURL = error else { return false }
        return true
      }
    }
  }

  @Test func anExchangeIsUnusedIfNoReplayUsesIt() async throws {
    try folder.write(
      "dsshell cassette 1\nGET http://a.test/x\n< 200\n\nGET http://a.test/x\n< 200\n\n"
        + "GET http://a.test/y?token=REDACTED\n< 200\nGET http://a.test/z\n< 200\n",
      to: "t.cassette")
    let path = folder.path(of: "t.cassette")
    let lines = { router.unusedExchanges.mapValues { $0.map(\.line).sorted() } }
    #expect(lines() == [:])
    try router.replay(path)
    #expect(lines() == [path: [2, 5, 8, 10]])
    _ = try await text(of: "http://a.test/z")
    _ = try await text(of: "http://a.test/x")
    #expect(lines() == [path: [5, 8]])
    router.removeCassette()
    try router.replay(path)
    for _ in 0..<3 { _ = try await text(of: "http://a.test/x") }
    #expect(
      router.unusedExchanges[path]
        == [UnusedExchange(line: 8, request: "GET http://a.test/y?token=REDACTED")])
  }

  @Test func aBodyWithASecretThatHasNoValueIsNotSent() async throws {
    let secret = RequestValue.missing(symbol: "env KEY")
    let request = TransportRequest(
      url: "http://a.test/x",
      body: RequestBody(query: ["key": .string(secret.shown)], secrets: [secret]))
    await #expect(throws: TransportError.self) { try await router.send(request) }
    try folder.write(
      "dsshell cassette 1\nPOST http://a.test/x\n+ {\"key\":\"REDACTED\"}\n< 200\n| tape\n",
      to: "t.cassette")
    try router.replay(folder.path(of: "t.cassette"))
    #expect(try await router.send(request).text == "tape")
  }

  @Test func stubsPrecedeTheCassetteAndTheCassetteTheNetwork() async throws {
    try router.replay(folder.path(of: "t.cassette"))
    #expect(try await text(of: "http://a.test/x") == "tape")
    #expect(try await text(of: "file:///x") == "file")
    try stub("http://a.test/x")
    #expect(try await text(of: "http://a.test/x") == "stub")
    #expect(router.removeStub(for: "http://A.test/x"))
    #expect(!router.removeStub(for: "http://a.test/x"))
    #expect(try await text(of: "http://a.test/x") == "tape")
    router.removeCassette()
    #expect(try await text(of: "http://a.test/x") == "network")
  }

  @Test func theMostSpecificStubResponds() async throws {
    try folder.write("page", to: "page.txt")
    try folder.write("other", to: "other.txt")
    try stub("http://a.test/x")
    router.add(
      try StubTransport(
        url: "http://a.test/x?page=2", path: folder.path(of: "page.txt"), formats: .core))
    router.add(try StubTransport(url: "http://a.test", path: folder.path, formats: .core))
    #expect(try await text(of: "http://a.test/x?page=1") == "stub")
    #expect(try await text(of: "http://a.test/x?size=1&page=2") == "page")
    #expect(try await text(of: "http://a.test/other") == "other")
    #expect(try await text(of: "http://b.test/other") == "network")
    // A stub for the same URL replaces the first one.
    router.add(
      try StubTransport(
        url: "http://a.test:80/x", path: folder.path(of: "other.txt"), formats: .core))
    #expect(router.stubs.count == 3)
    #expect(try await text(of: "http://a.test/x") == "other")
    router.removeStubs()
    #expect(try await text(of: "http://a.test/x") == "network")
  }

  @Test func aRefusedNetworkKeepsFilesStubsAndCassettes() async throws {
    router.refusesNetwork = true
    #expect(try await text(of: "file:///x") == "file")
    await #expect {
      try await text(of: "http://me:secret@a.test/x?token=secret")
    } throws: { error in
      guard case TransportError.denied(let what) = error else { return false }
      return what.contains("refused") && what.contains("`cassette FILE`")
        && what.contains("`stub http://REDACTED@a.test/x FILE`")
    }
    try router.record(folder.path(of: "new.cassette"))
    await #expect(throws: TransportError.self) { try await text(of: "http://a.test/x") }
    try router.replay(folder.path(of: "t.cassette"))
    #expect(try await text(of: "http://a.test/x") == "tape")
  }

  @Test func withoutANetworkTheErrorSuggestsACassetteOrAStub() async throws {
    let router = TransportRouter(files: ScriptedTransport.none)
    await #expect {
      try await router.send(TransportRequest(url: "http://a.test/"))
    } throws: { error in
      guard case TransportError.denied(let what) = error else { return false }
      return what.contains("no network is available here")
    }
    router.setNetwork(ScriptedTransport { _ in TransportResponse("current") })
    #expect(try await router.send(TransportRequest(url: "http://a.test/")).text == "current")
  }

  @Test func aRecordingUsesTheCurrentNetwork() async throws {
    let path = folder.path(of: "new.cassette")
    try router.record(path)
    router.setNetwork(ScriptedTransport { _ in TransportResponse("later") })
    #expect(try await text(of: "http://a.test/x") == "later")
    #expect(router.cassette?.count == 1 && router.cassette?.path == path)
    try router.replay(path)
    router.setNetwork(ScriptedTransport.none)
    #expect(try await text(of: "http://a.test/x") == "later")
  }

  @Test(arguments: ["", "none/x.cassette"])
  func recordingFailsWhereNoFileCanBeCreated(name: String) {
    #expect {
      try router.record(folder.path(of: name))
    } throws: { error in
      guard case SourceError.data(.io) = error else { return false }
      return true
    }
    #expect(router.cassette == nil)
  }
}
