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
