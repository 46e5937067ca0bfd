import DataTables
import Foundation
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

  @Test func aConditionalRequestForRecordedContentIsRecordedAndReplayed() async throws {
    let router = TransportRouter(files: FileTransport(), network: server)
    try router.record(path)
    let recorded = try remote(router)
    try await recorded.fetchData()
    try await recorded.fetchData()
    #expect(recorded.exchanges.map(\.status) == [304])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("> If-None-Match: \"v1\"\n< 304\n"))

    try router.replay(path)
    let source = try remote(router)
    try await source.fetchData()
    #expect(source.exchanges.map(\.status) == [200])
    let table = source.table
    try await source.fetchData()
    #expect(source.exchanges.map(\.status) == [304] && source.table === table)
    #expect(server.requests.count == 2)
  }

  private static let content = "GET http://example.test/list\n< 200\n< ETag: \"v2\"\n| [1, 2]\n"
  private static let second = "GET http://example.test/list\n> If-None-Match: \"v1\"\n< 304\n"

  @Test(arguments: [
    (second + content, 2, "needs an exchange above it with the content"),
    (content + second, 6, "needs the content of `ETag: \"v1\"`, which no exchange above it has"),
    (content + "GET http://example.test/list\n< 304\n", 6, "this one has neither"),
    (
      "GET http://example.test/list\n< 206\n< Content-Range: items 10-19/5\n| [1]\n", 2,
      "`Content-Range: items 10-19/5` begins behind its end"
    ),
    (
      "GET http://example.test/list\n< 206\n< Content-Range: items 9-3/*\n| [1]\n", 2,
      "`Content-Range: items 9-3/*` ends before it begins"
    ),
  ])
  func exchangesThatCannotHaveHappenedAreMistakes(
    text: String, line: Int, message: String
  ) throws {
    try folder.write("dsshell cassette 1\n" + text, to: "test.cassette")
    #expect {
      try CassetteReplay(path: path)
    } throws: {
      guard case SourceError.data(.format(let what, at: let place)) = $0 else { return false }
      return what.contains(message) && place?.line == line
    }
  }

  @Test(arguments: ["items 0-9/10", "items 10-19/*", "items */0", "bytes 0-0/1", "other"])
  func otherRangesAreReplayed(range: String) throws {
    try folder.write(
      "dsshell cassette 1\nGET http://example.test/list\n< 206\n< Content-Range: \(range)\n| [1]\n",
      to: "test.cassette")
    #expect(try CassetteReplay(path: path).count == 1)
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
