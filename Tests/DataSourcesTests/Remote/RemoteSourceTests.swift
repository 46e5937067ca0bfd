import DataTables
import Synchronization
import Testing

@testable import DataSources

@Suite struct RemoteSourceTests {
  @Test(arguments: [
    (#"["Pie", "Carrot"]"#, nil, 2), (#"{"links": [{"a": 1}, {"a": 2}]}"#, "links", 2),
    (#"{"links": []}"#, "other", 0), (#"{"item": {"a": 1}}"#, "item", 1),
  ])
  func theObjectsAreReadAtTheKeyPath(body: String, keyPath: String?, count: Int) async throws {
    let source = try remote(ScriptedServer(json: body), keyPath: keyPath)
    #expect(source.numberOfSections == 0)
    try await source.fetchData()
    #expect(try source.sizes == [count])
    #expect(try await source.sectionTitles() == ["list"])
  }

  @Test func aFetchReportsWillPartialFinished() async throws {
    let source = try remote(ScriptedServer(json: "[1]"))
    let listener = Listener()
    source.delegate = listener
    try await source.fetchData()
    #expect(listener.events == ["list will", "list partial", "list finished"])
  }

  @Test func aSlowFetchReportsItsBytes() async throws {
    let (reports, report) = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedServer { _ in
      let pieces = Mutex(["[1,", "2]"])
      return TransportResponse(
        status: 200, headers: [], url: "http://example.test/list",
        body: TransportBody {
          let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
          // The rest is sent after the first report.
          if piece != "[1,", piece != nil { for await _ in reports { break } }
          return piece.map { Array($0.utf8) }
        })
    }
    let source = try remote(transport)
    source.pace = ReceivedBytes.Pace(interval: .zero, bytes: 0)
    var counts: [Int] = []
    try await source.fetchData { entry in
      guard case .partial(.bytes(let count)?) = entry.event else { return }
      counts.append(count)
      report.yield()
    }
    #expect(counts.first == 3)
    #expect(counts == counts.sorted() && (counts.last ?? 0) <= 5)
    #expect(source.numberOfObjects == 2)
  }

  @Test(arguments: [false, true])
  func bytesAreReportedByTheClockOfTheFetch(isVirtual: Bool) async throws {
    let transport = ScriptedServer { _ in
      let pieces = Mutex(["[1,", "2,", "3]"])
      return TransportResponse(
        status: 200, headers: [], url: "http://example.test/list",
        body: TransportBody {
          try await Task.sleep(for: .milliseconds(3))
          let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
          return piece.map { Array($0.utf8) }
        })
    }
    let source = try remote(transport)
    source.pace = ReceivedBytes.Pace(interval: .milliseconds(1), bytes: 0)
    let clock = isVirtual ? AdjustableClock(date: 0) : AdjustableClock()
    var parts = 0
    try await source.fetchData(progress: Progress(clock: clock)) { entry in
      if case .partial(.bytes) = entry.event { parts += 1 }
    }
    #expect((parts > 0) == !isVirtual)
  }

  @Test func aStatusOtherThan2xxFailsAndKeepsTheOldSnapshot() async throws {
    let transport = ScriptedServer(json: "[1, 2]")
    let source = try remote(transport)
    try await source.fetchData()
    transport.respond { _ in
      .text("\n  no such list\nlook elsewhere", type: "text/plain", status: 404)
    }
    let listener = Listener()
    source.delegate = listener
    await #expect(
      throws: SourceError.httpStatus(
        404, request: "GET http://example.test/list", excerpt: "no such list")
    ) { try await source.fetchData() }
    #expect(listener.events == ["list will", "list partial", "list failed"])
    #expect(
      source.error?.message
        == #"GET http://example.test/list returned 404 Not Found: "no such list""#)
    #expect(source.numberOfObjects == 2)
  }

  @Test(arguments: [
    ("application/json; charset=utf-8", "/x", "JSON"), ("application/hal+json", "/x.csv", "JSON"),
    ("application/x-ndjson", "/x", "NDJSON"), ("text/csv", "/x.json", "CSV"),
    ("text/tab-separated-values", "/x", "TSV"), ("text/plain", "/x.ndjson", "NDJSON"),
    (nil, "/x.csv?type=json", "CSV"), (nil, "/x", "JSON"),
    ("application/octet-stream", "/x", "JSON"),
  ])
  func theFormatIsFoundByTypeThenExtensionThenBytes(
    type: String?, path: String, format: String
  ) async throws {
    let texts = ["JSON": "[1]", "NDJSON": "1\n", "CSV": "a,b\n1,2\n", "TSV": "a\tb\n1\t2\n"]
    let transport = ScriptedServer { request in
      .text(texts[format] ?? "", type: type, url: request.url)
    }
    let source = try remote(transport, path: path)
    try await source.fetchData()
    #expect(source.report?.format.hasPrefix(format) == true)
    #expect(source.numberOfObjects == 1)
  }

  @Test(arguments: ["text/html; charset=utf-8", "application/xhtml+xml", "image/svg+xml"])
  func aDocumentForPeopleIsNotATableWithAnyExtension(type: String) async throws {
    let body = "<title>Sign in</title>\nx\n"
    for path in ["/list", "/list.csv", "/list.json"] {
      let source = try remote(
        ScriptedServer { .text(body, type: type, url: $0.url) }, path: path)
      await #expect(throws: SourceError.self) { try await source.fetchData() }
      #expect(
        source.error?.message
          == "GET http://example.test\(path): the body is \(MediaType(type).name), which no format "
          + "reads (`format:` names one)")
      source.options.format = "csv"
      try await source.fetchData()
      #expect(source.numberOfObjects == 1)
    }
  }

  @Test func aListWithTheTypeOfAScriptIsReadByItsExtension() async throws {
    let source = try remote(
      ScriptedServer { .text("[1]", type: "text/javascript", url: $0.url) }, path: "/list.json")
    try await source.fetchData()
    #expect(source.numberOfObjects == 1)
  }

  @Test func aKeyPathIntoAnotherFormatFailsWithTheRequest() async throws {
    let source = try remote(
      ScriptedServer { _ in .text("a\n1\n", type: "text/csv") }, keyPath: "items")
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    let message = try #require(source.error?.message)
    #expect(
      message.hasPrefix(
        "GET http://example.test/list: the format csv does not support `keyPath:`; it supports "))
  }

  @Test func theCharsetIsTheEncoding() async throws {
    let latin = Array("name\ncaf".utf8) + [0xE9, 0x0A]
    let transport = ScriptedServer { _ in
      .bytes(latin, headers: [HeaderField("content-type", "text/csv; charset=\"ISO-8859-1\"")])
    }
    let source = try remote(transport)
    try await source.fetchData()
    #expect(try await source.object(at: IndexPath(section: 0, row: 0)) == ["name": "café"])
    transport.respond { _ in
      .bytes(latin, headers: [HeaderField("Content-Type", "text/csv; charset=utf-8")])
    }
    await #expect(
      throws: SourceError.response(
        .encoding(expected: "UTF-8", offset: 8, fitting: "latin1"),
        request: "GET http://example.test/list")
    ) { try await source.fetchData() }
    #expect(
      source.error?.message
        == "GET http://example.test/list: byte 8 is not UTF-8; try `encoding: latin1`")
    transport.respond { _ in
      .text("a\n1\n", type: "text/csv; charset=x-unknown")
    }
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(source.error?.message.contains("`x-unknown`, which cannot be read") == true)
  }

  @Test func aRefetchIsConditional() async throws {
    let transport = ScriptedServer { request in
      if request.headers.contains(RequestParameter("If-None-Match", .plain("\"v1\""))) {
        return .text("", type: nil, status: 304)
      }
      return .json("[1, 2]", headers: [HeaderField("etag", "\"v1\"")])
    }
    let source = try remote(transport)
    try await source.fetchData()
    let table = source.table
    try await source.fetchData()
    #expect(transport.requests.count == 2)
    #expect(source.table === table)
    #expect(source.numberOfObjects == 2)
    // Another request must not be conditional.
    source.request.query = [RequestParameter("a", .plain("b"))]
    try await source.fetchData()
    #expect(transport.requests.last?.headers == [])
    #expect(source.table !== table)
  }

  @Test func aBrokenBodyFailsWithItsPosition() async throws {
    let source = try remote(ScriptedServer(json: "[{\"id\": 1}, {\"id\":"))
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(
      source.error?.message
        == "GET http://example.test/list: expected a value, found the end of the text at line 1, "
        + "column 19")
    #expect(source.numberOfSections == 0)
  }

  @Test func aResponseWithoutContentHasNoObjects() async throws {
    let source = try remote(ScriptedServer { _ in .text("", type: nil, status: 204) })
    try await source.fetchData()
    #expect(try source.sizes == [0])
    let empty = try remote(ScriptedServer { _ in .text("", type: nil) })
    await #expect(throws: SourceError.self) { try await empty.fetchData() }
  }

  @Test func secretsInAResponseAreRedacted() async throws {
    let secret = RequestValue.secret("p4ss/w", symbol: "env KEY")
    let transport = ScriptedServer { _ in
      .text("bad key p4ss/w (p4ss%2Fw)", type: "text/plain", status: 403)
    }
    let request = TransportRequest(
      url: "http://me:word@example.test/list", query: [RequestParameter("key", secret)],
      headers: [RequestParameter("X-Key", secret)])
    let source = RemoteSource(request, through: transport, formats: .core)
    #expect(source.summary == "remote, GET http://example.test/list?key=env KEY")
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(
      source.error?.message
        == "GET http://example.test/list?key=env KEY returned 403 Forbidden: "
        + #""bad key env KEY (env KEY)""#)
    #expect(transport.urls == ["http://me:word@example.test/list?key=p4ss%2Fw"])
    transport.respond { _ in throw TransportError.network("no way to p4ss/w", isTransient: false) }
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(source.error?.message.hasSuffix(": no way to env KEY") == true)
  }

  @Test(arguments: [
    ("your token abcdef123456 is old", "your token env KEY is old"),
    (#"{"error": "Bearer abcdef123456 is old"}"#, #"{"error": "env KEY is old"}"#),
    (#"{"sent": "q\"uo\/te"}"#, #"{"sent": "env QUOTE"}"#),
    ("no login YW5uOnNlY3JldA==", "no login REDACTED=="),
    ("no login ann:secret", "no login REDACTED"),
    ("no token=env KEY, no key=REDACTED", "no token=env KEY, no key=REDACTED"),
    ("your session_token=another", "your session_token=REDACTED"),
    ("the table is locked", "the table is locked"),
  ])
  func anExcerptHidesWhatACassetteHides(body: String, shown: String) async throws {
    let request = TransportRequest(
      url: "http://ann:secret@example.test/list",
      headers: [
        RequestParameter("X-Auth", .secret("Bearer abcdef123456", symbol: "env KEY")),
        RequestParameter("X-Other", .secret(#"q"uo/te"#, symbol: "env QUOTE")),
      ])
    let source = RemoteSource(
      request, through: ScriptedServer { _ in .text(body, type: "text/plain", status: 403) },
      formats: .core)
    let failure = SourceError.httpStatus(
      403, request: "GET http://example.test/list", excerpt: shown)
    await #expect(throws: failure) { try await source.fetchData() }
  }

  @Test @MainActor func aRunningFetchIsJoinedAndCanceled() async throws {
    let transport = ScriptedServer { _ in
      try await Task.sleep(for: .seconds(60))
      return .json("[1]")
    }
    let source = try remote(transport)
    let first = Task { try await source.fetchData() }
    while !source.isFetching { await Task.yield() }
    let second = Task { try await source.fetchData() }
    await Task.yield()
    source.cancelFetch()
    await #expect(throws: SourceError.data(.cancelled)) { try await first.value }
    await #expect(throws: SourceError.data(.cancelled)) { try await second.value }
    #expect(transport.requests.count <= 1)
  }

  @Test @MainActor func theChildrenOfAMultiAreRequestedAtTheSameTime() async throws {
    // Each responds only when all requests have been sent.
    let transport = ScriptedServer { _ in .json("[1]") }
    transport.respond { [weak transport] request in
      while (transport?.requests.count ?? 3) < 3 { await Task.yield() }
      return .json("[\"\(request.url)\"]")
    }
    let children = try ["/a", "/b", "/c"].map { try remote(transport, path: $0, name: $0) }
    let multi = MultiSource(children)
    try await multi.fetchData()
    #expect(try multi.sizes == [1, 1, 1])
    let objects = try await multi.allObjects()
    #expect(objects == ["/a", "/b", "/c"].map { .string("http://example.test\($0)") })
  }

  @Test func aWrapperOfARemoteThatFailsKeepsItsSections() async throws {
    let transport = ScriptedServer(json: #"[{"k": "a"}, {"k": "b"}]"#)
    let sections = SectionedSource(try remote(transport), key: try path("k"), name: "sections")
    try await sections.fetchData()
    transport.respond { _ in .json("[]", status: 500) }
    let listener = Listener()
    sections.delegate = listener
    await #expect(throws: SourceError.self) { try await sections.fetchData() }
    #expect(listener.events == ["sections will", "sections failed"])
    #expect(try sections.sizes == [1, 1])
  }

  @Test func anObjectIsExplainedByItsRequest() async throws {
    let source = try remote(ScriptedServer(json: "[1,\n 2]"))
    try await source.fetchData()
    let lines = try await source.explanation(
      of: IndexPath(section: 0, row: 1), in: try source.content)
    #expect(
      lines == [ExplanationLine("response", "GET http://example.test/list, object 2 of 2, line 2")])
  }
}
