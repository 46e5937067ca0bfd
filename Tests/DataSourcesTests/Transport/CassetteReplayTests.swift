import DataTables
import Testing

@testable import DataSources

@Suite struct CassetteReplayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func replay(_ text: String) throws -> CassetteReplay {
    let path = try folder.write("dsshell cassette 1\n\n" + text, to: "test.cassette")
    return try CassetteReplay(path: path)
  }

  private func get(_ url: String, _ headers: [String: String] = [:]) -> TransportRequest {
    TransportRequest(
      url: url,
      headers: headers.sorted { $0.key < $1.key }.map { RequestParameter($0.key, .plain($0.value)) }
    )
  }

  private static let pages = """
    GET http://a.test/posts?page=1&size=2
    < 200
    < Content-Type: application/json
    | [1, 2]

    GET http://a.test/posts?page=2&size=2
    < 200
    | [3]

    """

  @Test(arguments: [
    "http://a.test/posts?page=2&size=2", "http://a.test/posts?size=2&page=2",
    "HTTP://A.TEST:80/posts?size=%32&page=2#top",
  ])
  func aRequestIsFoundHoweverItIsWritten(url: String) async throws {
    let response = try await replay(Self.pages).send(get(url))
    #expect(await response.text == "[3]")
    #expect(response.status == 200)
  }

  @Test func theQueryMatchesInAnyOrder() async throws {
    var request = get("http://a.test/posts?size=2")
    request.query = [RequestParameter("page", .plain("1"))]
    let response = try await replay(Self.pages).send(request)
    #expect(response[header: "content-type"] == "application/json")
    #expect(await response.text == "[1, 2]")
  }

  @Test func equalRequestsReplayInOrderAndThenTheLastResponse() async throws {
    let cassette = try replay(
      """
      GET http://a.test/x
      < 500
      GET http://a.test/y
      < 200
      GET http://a.test/x
      < 200
      | b

      """)
    var statuses: [Int] = []
    for _ in 0..<4 { statuses.append(try await cassette.send(get("http://a.test/x")).status) }
    #expect(statuses == [500, 200, 200, 200])
  }

  @Test(
    arguments: [
      (
        "http://a.test/posts?page=3&size=2", [:],
        "the closest is GET http://a.test/posts?page=2&size=2: query page is 3, recorded 2"
      ),
      ("http://a.test/posts?page=1", [:], "?page=1&size=2: query size is missing, recorded 2"),
      ("http://a.test/posts?size=2&page=1&q=x", [:], "query q is x, recorded without"),
      ("http://b.test/posts?page=1&size=2", [:], "host is b.test, recorded a.test"),
      ("https://a.test/post?page=1&size=2", [:], "scheme is https, recorded http, path is /post"),
      (
        "http://a.test/posts?page=1&size=2", ["Accept": "text/csv"],
        "header accept is text/csv, recorded without"
      ),
    ] as [(String, [String: String], String)])
  func aMissNamesTheClosestExchangeAndTheDifferences(
    url: String, headers: [String: String], message: String
  ) async throws {
    let cassette = try replay(Self.pages)
    await #expect {
      try await cassette.send(get(url, headers))
    } throws: { error in
      guard case TransportError.cassette(let what) = error else { return false }
      return what.hasPrefix("not on the cassette test.cassette") && what.contains(message)
        && what.contains("`cassette test.cassette mode: record`")
    }
  }

  @Test func aMissReportsAnEmptyCassette() async throws {
    let cassette = try replay("")
    await #expect {
      try await cassette.send(get("http://a.test/"))
    } throws: { error in
      (error as? TransportError)?.message.contains("which is empty") ?? false
    }
  }

  @Test func headersThatAreNotRecordedAreIgnored() async throws {
    let headers = ["User-Agent": "x", "Authorization": "Bearer abc"]
    let url = "http://a.test/posts?page=2&size=2"
    #expect(try await replay(Self.pages).send(get(url, headers)).status == 200)
  }

  @Test func recordedSecretsMatchAnyValue() async throws {
    let cassette = try replay("GET http://a.test/x?key=REDACTED&id=REDACTED\n< 200\n")
    var request = get("http://a.test/x")
    request.query = [
      RequestParameter("id", .secret("s3", symbol: "env ID")),
      RequestParameter("key", .plain("another")),
    ]
    #expect(try await cassette.send(request).status == 200)
  }

  @Test func piecesAndFaultsAreReplayed() async throws {
    let cassette = try replay(
      """
      GET http://a.test/dropped
      < 200
      ~ 2 1
      | abcde
      ! dropped: a.test closed the connection
      GET http://a.test/late
      ! timeout 2.5: a.test did not respond within 2.5 s
      GET http://a.test/loop
      ! limit redirects: more than 10 redirections
      GET http://a.test/refused
      ! network: could not connect to a.test
      """)
    let (pieces, fault) = try await cassette.send(get("http://a.test/dropped")).read()
    #expect(pieces == [Array("ab".utf8), Array("c".utf8), Array("de".utf8)])
    #expect(fault == .network("a.test closed the connection", isTransient: true))
    await #expect(
      throws: TransportError.timeout("a.test did not respond within 2.5 s", seconds: 2.5)
    ) {
      try await cassette.send(get("http://a.test/late"))
    }
    await #expect(
      throws: TransportError.limit("more than 10 redirections", setting: "redirects")
    ) {
      try await cassette.send(get("http://a.test/loop"))
    }
    await #expect(
      throws: TransportError.network("could not connect to a.test", isTransient: false)
    ) {
      try await cassette.send(get("http://a.test/refused"))
    }
  }

  @Test func manyTasksReplayAtTheSameTime() async throws {
    var text = ""
    for number in 0..<50 {
      for turn in 0..<4 { text += "GET http://a.test/\(number)\n< 200\n| \(number):\(turn)\n" }
    }
    let cassette = try replay(text)
    let responses = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<200 {
        let request = get("http://a.test/\(number % 50)")
        group.addTask { try await cassette.send(request).text }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    // Each exchange is replayed exactly once.
    #expect(responses.count == 200)
  }

  @Test func aMissingOrInvalidCassetteFails() throws {
    #expect {
      try CassetteReplay(path: folder.path(of: "none.cassette"))
    } throws: { error in
      guard case SourceError.data(.io) = error else { return false }
      return true
    }
    #expect {
      try replay("GET http://a.test/\n< x\n")
    } throws: { error in
      guard case SourceError.data(.format(_, at: let place)) = error else { return false }
      return place?.line == 4
    }
  }
}
