import DataTables
import Testing

@testable import DataSources

@Suite struct CassetteConditionTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "test.cassette")
  }

  /// A server with an ETag and content that never changes.
  private let server = ScriptedServer { request in
    if request.headers.contains(where: { $0.name == "If-None-Match" }) {
      return .text("", type: nil, status: 304)
    }
    return .json("[1, 2]", headers: [HeaderField("ETag", "\"v1\"")])
  }

  @Test func aRecordingStartedAfterAFetchCanBeReplayed() async throws {
    let router = TransportRouter(files: FileTransport(), network: server)
    let source = try remote(router)
    try await source.fetchData()
    try router.record(path)
    try await source.fetchData()
    #expect(server.requests.last?.headers == [])

    try router.replay(path)
    let fresh = try remote(router)
    try await fresh.fetchData()
    #expect(fresh.numberOfObjects == 2)
    // The second fetch of each is conditional.
    try await source.fetchData()
    try await fresh.fetchData()
    #expect(source.numberOfObjects == 2 && fresh.numberOfObjects == 2)
    #expect(server.requests.count == 2)
  }

  @Test func notModifiedIsNotReplayedToAnUnconditionalRequest() async throws {
    try folder.write(
      """
      dsshell cassette 1

      GET http://example.test/list
      < 200
      < Content-Type: application/json
      < ETag: "v1"
      | [1, 2]

      GET http://example.test/list
      > If-None-Match: "v1"
      < 304

      """, to: "test.cassette")
    let replay = try CassetteReplay(path: path)
    let source = try remote(replay)
    try await source.fetchData()
    let table = source.table
    try await source.fetchData()
    #expect(source.table === table)
    let fresh = try remote(replay)
    try await fresh.fetchData()
    #expect(fresh.numberOfObjects == 2)
  }
}
