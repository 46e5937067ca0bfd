import DataTables
import Testing

@testable import DataSources

@Suite struct PageSequenceTests {
  private func urls(
    after cursor: String, of url: String = "http://example.test/list", parameter: String? = nil
  ) async throws -> [String] {
    let transport = ScriptedServer(
      json: #"{"d": [1], "next": "\#(cursor)"}"#, #"{"d": [2], "next": null}"#)
    var paging = Paging(.cursor)
    paging.cursor = try path("next")
    paging.parameter = parameter
    var options = ReadOptions()
    options.keyPath = try path("d")
    let source = PaginatedSource(
      TransportRequest(url: url), through: transport, paging: paging, options: options,
      formats: .core)
    try await source.fetchAllPages()
    return transport.urls
  }

  @Test(arguments: [
    ("/9j/4AAQ==", "http://example.test/list?cursor=%2F9j%2F4AAQ%3D%3D"),
    ("/listing", "http://example.test/list?cursor=%2Flisting"),
    ("/list/2", "http://example.test/list/2"),
    ("/more?page=2", "http://example.test/more?page=2"),
    ("?page=2", "http://example.test/list?page=2"),
    ("http://example.test/more", "http://example.test/more"),
  ])
  func aCursorIsFollowedOnlyIfItIsALink(cursor: String, next: String) async throws {
    #expect(try await urls(after: cursor).last == next)
  }

  @Test func aPathIsNotALinkForARequestWithoutAPath() async throws {
    #expect(
      try await urls(after: "/9j", of: "http://example.test/").last
        == "http://example.test/?cursor=%2F9j")
  }

  @Test(arguments: ["?a", "/list/2", "http://b.test/"])
  func withAParameterItIsAlwaysACursor(cursor: String) async throws {
    let urls = try await urls(after: cursor, parameter: "after")
    #expect(
      urls.last == "http://example.test/list?after=\(PercentEncoding.encoded(cursor))")
  }

  @Test func anOffsetCountsRejectedObjectsToo() async throws {
    let pages = ["0": "{\"n\": 1}\n{\"n\":\n", "2": "{\"n\": 3}\n{\"n\": 4}\n"]
    let transport = ScriptedServer { request in
      let offset = request.query.first { $0.name == "offset" }?.value.sent ?? ""
      return .text(pages[offset] ?? "", type: "application/x-ndjson")
    }
    let source = PaginatedSource(
      TransportRequest(url: "http://example.test/list"), through: transport,
      paging: Paging(.offset), formats: .core)
    try await source.fetchAllPages()
    #expect(transport.requests.map { $0.query[0].value.sent } == ["0", "2", "4"])
    #expect(source.report?.rejected == 1)
    #expect(try await source.allObjects() == records("n", [1, 3, 4]))
  }
}
