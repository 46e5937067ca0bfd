import DataTables
import Foundation
import Testing

@testable import DataSources

@Suite struct StubTransportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["site", "site/deep"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(of: name), withIntermediateDirectories: true)
    }
    try folder.write("[1]", to: "site/posts.json")
    try folder.write("[2]", to: "site/posts?page=2.json")
    try folder.write("a,b", to: "site/foods.csv")
    try folder.write("bare", to: "site/bare")
    try folder.write("{}", to: "site/index.json")
    try folder.write("x", to: "site/deep/index.csv")
    try folder.write("space", to: "site/a b.txt")
    try folder.write("secret", to: "outside.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "site/link.json"),
      withDestinationPath: folder.path(of: "outside.json"))
  }

  private func site(_ url: String = "http://a.test/api") throws -> StubTransport {
    try StubTransport(url: url, path: folder.path(of: "site"), formats: .core)
  }

  @Test(arguments: [
    ("/posts", "[1]", "application/json"), ("/posts.json", "[1]", "application/json"),
    ("/posts?page=2", "[2]", "application/json"), ("/posts?page=3", "[1]", "application/json"),
    ("/foods", "a,b", "text/csv; charset=utf-8"), ("/bare", "bare", "application/octet-stream"),
    ("", "{}", "application/json"), ("/", "{}", "application/json"),
    ("/deep", "x", "text/csv; charset=utf-8"), ("/deep/", "x", "text/csv; charset=utf-8"),
    ("/a%20b.txt", "space", "text/plain; charset=utf-8"),
  ])
  func aFolderRespondsWithItsFiles(path: String, text: String, type: String) async throws {
    let response = try await site().send(TransportRequest(url: "http://a.test/api" + path))
    #expect(response.status == 200 && response[header: "Content-Type"] == type)
    #expect(await response.text == text)
  }

  @Test(arguments: [
    "/../outside", "/%2e%2e/outside.json", "/..%2Foutside.json", "/deep/../../outside.json",
    "/link.json", "/link", "/deep%00",
  ])
  func filesOutsideOfTheFolderAreDenied(path: String) async throws {
    let stub = try site()
    await #expect {
      try await stub.send(TransportRequest(url: "http://a.test/api" + path))
    } throws: { error in
      guard case TransportError.denied(let what) = error else { return false }
      return what.contains("leads out of site")
    }
  }

  @Test(arguments: ["/none", "/deep/none", "/posts?page=../x.json/none", "/...", "/site"])
  func aFileThatIsMissingIsNotFound(path: String) async throws {
    let response = try await site().send(TransportRequest(url: "http://a.test/api" + path))
    #expect(response.status == (path.hasPrefix("/posts") ? 200 : 404))
  }

  @Test func aFileRespondsWithStatusAndHeaders() async throws {
    var stub = try StubTransport(
      url: "http://a.test/x", path: folder.path(of: "site/posts.json"), formats: .core)
    stub.status = 503
    stub.headers = [HeaderField("content-type", "text/plain"), HeaderField("Retry-After", "1")]
    let response = try await stub.send(TransportRequest(url: "http://a.test/x?page=1"))
    #expect(response.status == 503 && response.headers == stub.headers)
    #expect(await response.text == "[1]")
  }

  @Test(arguments: [
    ("ETag", "v1", "If-None-Match"),
    ("Last-Modified", "Fri, 02 Nov 2012 10:00:00 GMT", "If-Modified-Since"),
  ])
  func contentThatTheClientHasIsNotSentAgain(
    name: String, value: String, condition: String
  ) async throws {
    var stub = try StubTransport(
      url: "http://a.test/x", path: folder.path(of: "site/posts.json"), formats: .core)
    stub.headers = [HeaderField(name, value)]
    func status(_ condition: String, _ value: String) async throws -> Int {
      let headers = [RequestParameter(condition, .plain(value))]
      return try await stub.send(TransportRequest(url: "http://a.test/x", headers: headers)).status
    }
    #expect(try await status(condition, value) == 304)
    #expect(try await status(condition, "other") == 200)
    #expect(try await status("Accept", value) == 200)
    stub.status = 404
    #expect(try await status(condition, value) == 404)
  }

  @Test func requestsFailAndAreLateOnRequest() async throws {
    let clock = AdjustableClock(date: 0)
    var stub = try StubTransport(
      url: "http://a.test/x", path: folder.path(of: "site/posts.json"), formats: .core)
    stub.clock = clock
    stub.faults = Faults(delay: .seconds(2), failing: [FailingAttempt(.request, 2)])
    // Copies count together, as the router has one.
    let other = stub
    let request = TransportRequest(url: "http://a.test/x")
    #expect(try await stub.send(request).status == 200)
    let failed = try await other.send(request)
    #expect(failed.status == 503)
    #expect(await failed.text == "`stub` was asked to fail request 2 (`fail: request 2`)\n")
    #expect(try await stub.send(request).status == 200)
    #expect(clock.date == 6)
  }

  @Test func aDelayThatExceedsTheLimitOfTheRequestIsATimeout() async throws {
    let clock = AdjustableClock(date: 0)
    var stub = try StubTransport(
      url: "http://a.test/x", path: folder.path(of: "site/posts.json"), formats: .core)
    stub.clock = clock
    stub.faults.delay = .seconds(100)
    var request = TransportRequest(url: "http://a.test/x")
    request.limits.timeout = 10
    await #expect(throws: TransportError.self) { try await stub.send(request) }
    #expect(clock.date == 10)
  }

  @Test func aDeletedFileIsNotFound() async throws {
    let stub = try StubTransport(
      url: "http://a.test/x", path: folder.path(of: "outside.json"), formats: .core)
    try folder.remove("outside.json")
    #expect(try await stub.send(TransportRequest(url: "http://a.test/x")).status == 404)
    #expect(throws: TableError.self) {
      try StubTransport(
        url: "http://a.test/x", path: folder.path(of: "outside.json"), formats: .core)
    }
  }
}
