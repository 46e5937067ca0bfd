import DataTables
import Testing

@testable import DataSources

@Suite struct CassetteSecretTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "test.cassette")
  }

  @Test func aValueThatBecomesSecretReplaysInOrder() async throws {
    let plain = TransportRequest(
      url: "http://a.test/of/4711-x", query: [RequestParameter("id", .plain("4711-x"))],
      headers: [RequestParameter("Accept", .plain("text/4711-x"))])
    var secret = plain
    secret.query = [RequestParameter("id", .secret("4711-x", symbol: "env ID"))]
    let numbers = ScriptedServer(json: "[1]", "[2]", "[3]")
    let recorder = CassetteRecorder(path: path, through: numbers)
    let requests = [plain, secret, plain]
    for request in requests { _ = try await recorder.send(request) }

    let replay = try CassetteReplay(path: path)
    var texts: [String] = []
    for request in requests { texts.append(try await replay.send(request).text) }
    #expect(texts == ["[1]", "[2]", "[3]"])
  }

  @Test(arguments: ["p\"q\\ é/+", "open sesame"])
  func aSecretInABodyIsNotRecorded(text: String) async throws {
    let secret = RequestValue.secret(text, symbol: "env KEY")
    let body = RequestBody(
      query: ["login": ["key": .string(text)], "page": 1], secrets: [secret])
    var request = TransportRequest(url: "http://a.test/x", body: body)
    let recorder = CassetteRecorder(path: path, through: ScriptedServer(json: "[1]", "[2]"))
    _ = try await recorder.send(request)
    request = request.adding([(name: "page", value: 2)])
    #expect(request.body?.secrets == [secret])
    _ = try await recorder.send(request)
    let recorded = try TextFile.read(path, cancellation: Cancellation())
    #expect(recorded.contains(#"+ {"login":{"key":"REDACTED"},"page":2}"#), "\(recorded)")
    #expect(!recorded.contains("sesame") && !recorded.contains("q"))
    #expect(try await CassetteReplay(path: path).send(request).text == "[2]")
    #expect(!request.redacting("the key is \(text)").contains(text))
  }

  @Test(arguments: [
    ("http://a.test/x?k=1", true), ("http://a.test/x?k=", true), ("http://a.test/x?k=a%20b", true),
    ("http://a.test/x", false), ("http://a.test/x?j=1", false), ("http://a.test/y?k=1", false),
    ("http://a.test/x?k=1&l=2", false), ("http://a.test/v1.5/x", true),
    ("http://a.test/v/x", false),
  ])
  func aRecordedMarkMatchesAnyValue(url: String, isFound: Bool) async throws {
    try folder.write(
      """
      dsshell cassette 1
      GET http://a.test/x?k=REDACTED
      < 200
      GET http://a.test/vREDACTED.REDACTED/x
      < 200

      """, to: "test.cassette")
    let replay = try CassetteReplay(path: path)
    if isFound {
      #expect(try await replay.send(TransportRequest(url: url)).status == 200)
    } else {
      await #expect(throws: TransportError.self) {
        try await replay.send(TransportRequest(url: url))
      }
    }
  }
}
