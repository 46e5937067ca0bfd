import DataTables
import Synchronization
import Testing

@testable import DataSources

@Suite struct PageSequenceTests {
  private func urls(
    after cursors: String..., of url: String = "http://example.test/list", parameter: String? = nil
  ) async throws -> [String] {
    let cursors = cursors.map { "\"\($0)\"" } + ["null"]
    let pages = cursors.enumerated().map { #"{"d": [\#($0)], "next": \#($1)}"# }
    let numbers = Atomic(0)
    let transport = ScriptedServer { _ in
      .json(pages[numbers.add(1, ordering: .relaxed).oldValue])
    }
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
    ("/listing", "http://example.test/listing"),
    ("/page2.json", "http://example.test/page2.json"),
    ("/list/2", "http://example.test/list/2"),
    ("/more?page=2", "http://example.test/more?page=2"),
    ("?page=2", "http://example.test/list?page=2"),
    ("http://example.test/more", "http://example.test/more"),
  ])
  func aCursorIsFollowedOnlyIfItIsALink(cursor: String, next: String) async throws {
    #expect(try await urls(after: cursor).last == next)
  }

  @Test func aPathIsALinkForARequestWithoutAPath() async throws {
    #expect(
      try await urls(after: "/page2.json", of: "http://example.test/").last
        == "http://example.test/page2.json")
  }

  @Test func afterACursorThatIsAValueAPathIsAValueToo() async throws {
    #expect(
      try await urls(after: "kJ8", "/9j").last == "http://example.test/list?cursor=%2F9j")
  }

  @Test(arguments: ["?a", "/list/2", "http://b.test/"])
  func withAParameterItIsAlwaysACursor(cursor: String) async throws {
    let urls = try await urls(after: cursor, parameter: "after")
    #expect(
      urls.last == "http://example.test/list?after=\(PercentEncoding.encoded(cursor))")
  }

  @Test(arguments: [Paging.Style.page, .offset])
  func aPageWithTheObjectsOfThePageBeforeIsReported(style: Paging.Style) async throws {
    let source = PaginatedSource(
      TransportRequest(url: "http://example.test/list"),
      through: ScriptedServer(json: #"[{"n": 1}, {"n": 2}]"#), paging: Paging(style),
      formats: .core)
    try await source.fetchData()
    #expect(source.report?.notes == [])
    try await source.fetchNextPage()
    try await source.fetchNextPage()
    #expect(
      source.report?.notes == [
        "page 2 has the same objects as the page before it; the server seems to ignore "
          + "`\(style.rawValue)` (`parameter:` sets the name, `paging:` the style)"
      ])
  }

  @Test(arguments: [Paging.Style.page, .offset])
  func aFetchOfAllPagesOfAServerThatRepeatsOneEnds(style: Paging.Style) async throws {
    let server = ScriptedServer(json: #"[{"n": 1}, {"n": 2}]"#)
    let source = PaginatedSource(
      TransportRequest(url: "http://example.test/list"), through: server, paging: Paging(style),
      formats: .core)
    await #expect {
      try await source.fetchAllPages()
    } throws: {
      "\($0)".contains("and so on: the last 3 pages are the same")
    }
    #expect(server.requests.count == 4)
  }

  @Test func equalPagesAreFetchedIfTheirNumberIsKnown() async throws {
    var paging = Paging(.page)
    paging.totalKey = ObjectKeyPath(key: "total")
    let source = PaginatedSource(
      TransportRequest(url: "http://example.test/list"),
      through: ScriptedServer(json: #"{"data": [{"n": 1}], "total": 7}"#), paging: paging,
      formats: .core)
    try await source.fetchAllPages()
    #expect(source.table.count == 7)
  }

  @Test func differentPagesAreNotReported() async throws {
    let source = PaginatedSource(
      TransportRequest(url: "http://example.test/list"),
      through: ScriptedServer(json: #"[{"n": 1}, {"n": 2}]"#, #"[{"n": 1}, {"n": 3}]"#, "[]"),
      formats: .core)
    try await source.fetchAllPages()
    #expect(source.report?.notes == [] && source.table.count == 4)
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
