import DataTables
import Synchronization
import Testing

@testable import DataSources

@Suite struct PaginatedSourceTests {
  /// Responds with pages of consecutive numbers, of the given sizes.
  private func pages(
    _ sizes: [Int], wrap: @escaping @Sendable (String, Int) -> String = { items, _ in items }
  ) -> ScriptedServer {
    ScriptedServer { request in
      let page = request.query.first { $0.name == "page" }.flatMap { Int($0.value.sent) } ?? 1
      let size = sizes.indices.contains(page - 1) ? sizes[page - 1] : 0
      let start = sizes.prefix(max(0, page - 1)).reduce(0, +)
      let numbers = (start..<start + size).map(String.init).joined(separator: ",")
      return .json(wrap("[\(numbers)]", page))
    }
  }

  private func source(
    _ transport: any Transport, _ paging: Paging = Paging(), keyPath: String? = nil,
    prefetches: Bool = false, pageLimit: Int = 1_000
  ) throws -> PaginatedSource {
    var options = ReadOptions()
    options.keyPath = try keyPath.map { try path($0) }
    return PaginatedSource(
      TransportRequest(url: "http://example.test/list"), through: transport, paging: paging,
      options: options, formats: .core, prefetches: prefetches, pageLimit: pageLimit, name: "list")
  }

  @Test func pagesAreAppendedUntilOneIsEmpty() async throws {
    let transport = pages([2, 2])
    let source = try source(transport)
    #expect(source.hasMorePages)
    try await source.fetchData()
    #expect(source.numberOfObjects == 2 && source.hasMorePages && source.currentPage == 1)
    try await source.fetchNextPage()
    #expect(source.numberOfObjects == 4 && source.hasMorePages && source.currentPage == 2)
    try await source.fetchNextPage()
    #expect(source.numberOfObjects == 4 && !source.hasMorePages)
    let listener = Listener()
    source.delegate = listener
    #expect(try await source.fetchNextPage() == false)
    #expect(transport.requests.count == 3)
    #expect(listener.events == [])
    #expect(try await source.allObjects() == [0, 1, 2, 3])
  }

  @Test func aFailedPageIsRequestedAgain() async throws {
    let good = pages([2, 2])
    let transport = ScriptedServer { _ in .json("") }
    let isBroken = Cancellation()
    transport.respond { request in
      if isBroken.isCancelled { return .json("{}", status: 500) }
      return try await good.send(request)
    }
    let source = try source(transport)
    try await source.fetchData()
    isBroken.cancel()
    await #expect(throws: SourceError.self) { try await source.fetchNextPage() }
    #expect(source.numberOfObjects == 2 && source.currentPage == 1 && source.hasMorePages)
    isBroken.reset()
    try await source.fetchNextPage()
    #expect(transport.urls.suffix(2).map { $0.suffix(7) } == ["?page=2", "?page=2"])
    #expect(source.numberOfObjects == 4)
  }

  @Test func countsInAResponseAreRead() async throws {
    let transport = pages([2, 1]) { items, page in
      #"{"page": \#(page), "page_size": 2, "number_of_pages": 2, "total_count": 3, "data": \#(items)}"#
    }
    var paging = Paging()
    paging.pageSize = 50
    let source = try source(transport, paging, keyPath: "data")
    #expect(source.numberOfTotalObjects == nil && source.pageSize == 50)
    try await source.fetchData()
    #expect(transport.urls == ["http://example.test/list?page=1&page_size=50"])
    #expect(source.numberOfTotalObjects == 3 && source.numberOfPages == 2 && source.pageSize == 2)
    try await source.fetchNextPage()
    #expect(!source.hasMorePages && source.numberOfObjects == 3)
  }

  @Test func aFetchStartsAgainAndAFetchOfAllPagesFetchesAll() async throws {
    let transport = pages([2, 2, 1])
    let source = try source(transport)
    try await source.fetchAllPages()
    #expect(source.numberOfObjects == 5 && source.numberOfFetchedPages == 4)
    try await source.fetchData()
    #expect(source.numberOfObjects == 2 && source.hasMorePages)
    source.pageLimit = 2
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
    #expect(source.numberOfObjects == 2)
    #expect(
      source.error?.message
        == "GET http://example.test/list?page=3: there are more than 2 pages (`maxPages` raises the "
        + "limit)")
  }

  @Test func offsetsCountTheObjects() async throws {
    let transport = ScriptedServer { request in
      request.query[0].value.sent == "3" ? .json("[]") : .json("[1,2,3]")
    }
    var paging = Paging(.offset)
    paging.pageSize = 3
    let source = try source(transport, paging)
    try await source.fetchAllPages()
    #expect(transport.urls.map { $0.suffix(17) } == ["?offset=0&limit=3", "?offset=3&limit=3"])
  }

  @Test func aCursorLeadsToTheNextPage() async throws {
    let transport = ScriptedServer(
      json: #"{"d": [1], "meta": {"next": "a/b"}}"#, #"{"d": [2], "meta": {"next": 7}}"#,
      #"{"d": [3], "meta": {"next": null}}"#)
    var paging = Paging(.cursor)
    paging.cursor = try path("meta.next")
    let source = try source(transport, paging, keyPath: "d")
    try await source.fetchAllPages()
    #expect(
      transport.urls.map { $0.dropFirst("http://example.test/list".count) } == [
        "", "?cursor=a%2Fb", "?cursor=7",
      ])
    #expect(try await source.allObjects() == [1, 2, 3])
  }

  private func cursorPaging(_ key: String = "next") throws -> Paging {
    var paging = Paging(.cursor)
    paging.cursor = try path(key)
    return paging
  }

  @Test func aRepeatedCursorIsAnErrorAfterItsPage() async throws {
    let transport = ScriptedServer(
      json: #"{"d": [1], "next": "x"}"#, #"{"d": [2], "next": "x"}"#)
    let source = try source(transport, cursorPaging(), keyPath: "d")
    try await source.fetchData()
    try await source.fetchNextPage()
    #expect(try await source.allObjects() == [1, 2] && source.hasMorePages)
    await #expect(throws: SourceError.self) { try await source.fetchNextPage() }
    #expect(transport.requests.count == 2)
    #expect(
      source.error?.message
        == "GET http://example.test/list: page 2 leads to `x` again, which has been fetched "
        + "already; `parameter:` sets the name of the cursor if the server does not read `cursor`; "
        + "`fetch` and `fetchNextPage` get the pages up to this one")
    #expect(try await source.allObjects() == [1, 2])
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
  }

  @Test func aCursorThatIsRepeatedAtTheTotalEndsThePages() async throws {
    let transport = ScriptedServer(
      json: #"{"d": [1], "next": "x", "total_count": 2}"#,
      #"{"d": [2], "next": "x", "total_count": 2}"#)
    let source = try source(transport, cursorPaging(), keyPath: "d")
    try await source.fetchAllPages()
    #expect(try await source.allObjects() == [1, 2] && !source.hasMorePages)
    #expect(source.report?.notes == [])
  }

  @Test func aCursorLeadsThroughPagesWithoutObjects() async throws {
    let transport = ScriptedServer(
      json: #"{"d": [], "next": "a"}"#, #"{"d": [], "next": "b"}"#, #"{"d": [1], "next": "c"}"#,
      #"{"d": [], "next": "d"}"#, #"{"d": [2], "next": null}"#)
    let source = try source(transport, cursorPaging(), keyPath: "d")
    try await source.fetchAllPages()
    #expect(try await source.allObjects() == [1, 2])
    #expect(source.report?.notes == [])
  }

  @Test func thePageThatIsShownNextHasObjects() async throws {
    let transport = ScriptedServer(
      json: #"{"d": [1], "next": "a"}"#, #"{"d": [], "next": "b"}"#, #"{"d": [2], "next": "c"}"#,
      #"{"d": [], "next": null}"#)
    let source = try source(transport, cursorPaging(), keyPath: "d")
    try await source.fetchData()
    #expect(transport.requests.count == 1)
    try await source.fetchNextPage()
    #expect(try await source.allObjects() == [1, 2] && source.numberOfFetchedPages == 3)
    try await source.fetchNextPage()
    #expect(source.numberOfFetchedPages == 4 && !source.hasMorePages)
  }

  @Test func linksLeadThroughPagesWithoutObjects() async throws {
    let numbers = Mutex(0)
    let transport = ScriptedServer { _ in
      let number = numbers.withLock { number in
        number += 1
        return number
      }
      let link = number < 3 ? [HeaderField("Link", "</list?page=\(number + 1)>; rel=next")] : []
      return .json(number == 2 ? "[]" : "[\(number)]", headers: link)
    }
    let source = try source(transport, Paging(.link))
    try await source.fetchAllPages()
    #expect(try await source.allObjects() == [1, 3])
  }

  @Test func tooManyPagesWithoutObjectsAreAnError() async throws {
    let numbers = Mutex(0)
    let transport = ScriptedServer { _ in
      let number = numbers.withLock { number in
        number += 1
        return number
      }
      return .json(#"{"d": [\#(number == 1 ? "1" : "")], "next": \#(number)}"#)
    }
    var paging = try cursorPaging()
    paging.maxEmptyPages = 3
    let source = try source(transport, paging, keyPath: "d")
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
    #expect(transport.requests.count == 4)
    #expect(
      source.error?.message
        == "GET http://example.test/list: the last 3 pages had no objects (`maxEmptyPages` raises "
        + "the limit)")
  }

  @Test func aNumberedPageWithoutObjectsIsNotTheLastOfAKnownNumber() async throws {
    let transport = pages([2, 0, 1]) { items, _ in
      #"{"number_of_pages": 3, "data": \#(items)}"#
    }
    let source = try source(transport, keyPath: "data")
    try await source.fetchAllPages()
    #expect(source.numberOfObjects == 3 && source.numberOfFetchedPages == 3)
  }

  @Test(arguments: [
    (
      #"{"d": [1]}"#,
      [
        "the pages end with the first one, because it has no `next`; `cursor:` is the key path of "
          + "the next cursor or URL"
      ]
    ),
    (#"{"d": [1], "next": null}"#, []), (#"{"d": [1], "total_count": 1}"#, []),
    (
      #"{"d": [1], "next": null, "total_count": 7}"#,
      ["the pages end after 1 of 7 objects"]
    ),
  ])
  func pagesThatEndEarlyAreReported(body: String, notes: [String]) async throws {
    let source = try source(ScriptedServer(json: body), cursorPaging(), keyPath: "d")
    try await source.fetchAllPages()
    #expect(source.report?.notes == notes)
  }

  @Test(arguments: ["true", "null", "\"yes\""])
  func aMissingCursorIsReportedUnlessThePageIsTheLast(more: String) async throws {
    let body = #"{"d": [1], "has_more": \#(more)}"#
    let source = try source(ScriptedServer(json: body), cursorPaging(), keyPath: "d")
    try await source.fetchAllPages()
    #expect(source.report?.notes.count == 1)
    let last = ScriptedServer(json: #"{"d": [1], "has_more": false}"#)
    let ended = try self.source(last, cursorPaging(), keyPath: "d")
    try await ended.fetchAllPages()
    #expect(ended.report?.notes == [])
  }

  @Test(arguments: [0, 1])
  func aTotalBelowTheObjectsOfItsPageIsIgnored(total: Int) async throws {
    let transport = pages([2, 2]) { items, _ in #"{"total_count": \#(total), "data": \#(items)}"# }
    let source = try source(transport, keyPath: "data")
    try await source.fetchAllPages()
    #expect(source.numberOfObjects == 4 && source.report?.notes == [])
  }

  @Test(arguments: ["http://example.test/list?after=1&kind=a", "http://example.test/list?after=1"])
  func theNextPageReplacesTheParameterOfTheFirst(url: String) async throws {
    let transport = ScriptedServer(json: #"[{"id": 7}]"#, #"[{"id": 8}]"#, "[]")
    var paging = Paging(.after)
    paging.afterKey = try path("id")
    let source = PaginatedSource(
      TransportRequest(url: url), through: transport, paging: paging, formats: .core)
    try await source.fetchAllPages()
    let rest = url.contains("kind") ? "?kind=a&" : "?"
    #expect(
      transport.urls
        == [
          url, "http://example.test/list\(rest)after=7", "http://example.test/list\(rest)after=8",
        ])
  }

  @Test func aRangeOfNoObjectsIsEmpty() async throws {
    let transport = ScriptedServer { _ in
      .json("no", status: 416, headers: [HeaderField("Content-Range", "items */0")])
    }
    var paging = Paging(.range)
    paging.pageSize = 2
    let source = try source(transport, paging)
    try await source.fetchAllPages()
    #expect(source.numberOfObjects == 0 && !source.hasMorePages && transport.requests.count == 1)
    transport.respond { _ in
      .json("no", status: 416, headers: [HeaderField("Content-Range", "items */9")])
    }
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
  }

  @Test func aPageThatMustNotBeRequestedIsNotPrefetched() async throws {
    let transport = ScriptedServer { _ in .json(#"{"d": [1], "next": "a"}"#) }
    let source = try source(transport, cursorPaging(), keyPath: "d", prefetches: true)
    try await source.fetchData()
    try await source.fetchNextPage()
    for _ in 0..<100 { await Task.yield() }
    #expect(transport.requests.count == 2 && source.hasMorePages)
    await #expect(throws: SourceError.self) { try await source.fetchNextPage() }
    #expect(transport.requests.count == 2)
  }

  @Test(arguments: [("X-Total-Count", "3"), ("X-Total", "3"), ("X-Total-Pages", "2")])
  func totalsAreReadFromHeaders(name: String, value: String) async throws {
    let server = pages([2, 1])
    let transport = ScriptedServer { request in
      let response = try await server.send(request)
      return TransportResponse(
        status: 200, headers: response.headers + [HeaderField(name, value)], url: response.url,
        body: response.body)
    }
    let source = try source(transport)
    try await source.fetchAllPages()
    #expect(transport.requests.count == 2 && source.numberOfObjects == 3)
    #expect(source.report?.notes == [])
  }

  @Test func aTotalThatIsNotReachedIsReported() async throws {
    let transport = pages([2, 1]) { items, _ in #"{"total_count": 9, "data": \#(items)}"# }
    let source = try source(transport, keyPath: "data")
    try await source.fetchAllPages()
    #expect(source.report?.notes == ["the pages end after 3 of 9 objects"])
  }

  @Test(arguments: [(0, 10), (1, 10), (4, 10)])
  func theLastPageHasTheNumberOfPages(first: Int, position: Int) async throws {
    let transport = ScriptedServer { request in
      .json(#"{"number_of_pages": 10, "data": [\#(request.query[0].value.sent)]}"#)
    }
    var paging = Paging()
    paging.firstPage = first
    let source = try source(transport, paging, keyPath: "data")
    try await source.fetchAllPages()
    #expect(source.pagePosition == position && source.numberOfPages == 10)
    #expect(source.numberOfFetchedPages == 10 - max(1, first) + 1)
    #expect(source.currentPage == (first == 0 ? 9 : 10))
  }

  @Test func linksToOtherServersAreFollowedWithoutCredentials() async throws {
    let links = [
      "/list": "</more?after=2>; rel=next", "/more": "<http://other.test/end>; rel=next",
    ]
    let transport = ScriptedServer { request in
      let path = URLParts(request.url).path
      let link = links[path].map { [HeaderField("Link", $0)] } ?? []
      return .json("[\"\(path)\"]", headers: link, url: request.url)
    }
    let secret = RequestValue.secret("s", symbol: "env S")
    let source = PaginatedSource(
      TransportRequest(
        url: "http://example.test/list",
        query: [RequestParameter("q", .plain("1")), RequestParameter("key", secret)],
        headers: [
          RequestParameter("Accept", .plain("x")), RequestParameter("X-Key", secret),
          RequestParameter("authorization", .plain("Basic eA==")),
          RequestParameter("X-API-Key", .plain("k")),
          RequestParameter("Host", .plain("example.test")),
        ]),
      through: transport, paging: Paging(.link), formats: .core)
    try await source.fetchAllPages()
    #expect(
      transport.urls == [
        "http://example.test/list?q=1&key=s", "http://example.test/more?after=2&key=s",
        "http://other.test/end",
      ])
    #expect(transport.requests.map { $0.headers.count } == [5, 5, 1])
  }

  @Test func aSecretInALinkToAnotherServerIsNotShown() async throws {
    let transport = ScriptedServer { request in
      request.url.contains("other")
        ? .json("{}", status: 500)
        : .json("[1]", headers: [HeaderField("Link", "<http://other.test/k3ys/x>; rel=next")])
    }
    let source = PaginatedSource(
      TransportRequest(
        url: "http://example.test/list",
        headers: [RequestParameter("X-Key", .secret("k3ys", symbol: "env KEY"))]),
      through: transport, paging: Paging(.link), formats: .core)
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
    #expect(transport.requests.last?.headers.isEmpty == true)
    #expect(source.error?.message.contains("http://other.test/env KEY/x") == true)
  }

  @Test func aLinkFromTheWebToAFileIsRefused() async throws {
    let transport = ScriptedServer { _ in
      .json("[1]", headers: [HeaderField("Link", "<file:///etc/passwd>; rel=next")])
    }
    let source = try source(transport, Paging(.link))
    await #expect(throws: SourceError.self) { try await source.fetchData() }
    #expect(source.error?.message.contains("page is at `file:///etc/passwd`") == true)
  }

  @Test func theLastObjectNeedsTheNextPageThroughWrappersToo() async throws {
    let source = try source(pages([2, 2]))
    let flat = SectionedSource(source)
    let multi = MultiSource([SimpleSource([7]), source])
    try await multi.fetchData()
    try await flat.fetchData()
    #expect(flat.paginatedSource(displaying: IndexPath(section: 0, row: 0)) == nil)
    #expect(flat.paginatedSource(displaying: IndexPath(section: 0, row: 1)) === source)
    #expect(multi.paginatedSource(displaying: IndexPath(section: 0, row: 0)) == nil)
    #expect(multi.paginatedSource(displaying: IndexPath(section: 1, row: 1)) === source)
  }

  @Test func sectionsOverPagesAreUpdated() async throws {
    let transport = ScriptedServer(
      json: #"[{"d": "2012-07-29"}, {"d": "2012-07-30"}]"#,
      #"[{"d": "2012-07-31"}, {"d": "2012-08-01"}]"#)
    let source = try source(transport)
    let months = SectionedSource(
      source, key: try path("d"), mode: try #require(SectionMode.named("month")), name: "months")
    try await months.fetchData()
    #expect(try months.sizes == [2])
    let listener = Listener()
    months.delegate = listener
    try await source.fetchNextPage()
    #expect(listener.events == ["months will", "months finished"])
    #expect(try await months.sectionTitles() == ["2012-07", "2012-08"])
    #expect(try months.sizes == [3, 1])
  }

  @Test func theNextPageIsPrefetched() async throws {
    let transport = pages([2, 2, 2])
    let source = try source(transport, prefetches: true)
    try await source.fetchData()
    while transport.requests.count < 2 { await Task.yield() }
    try await source.fetchNextPage()
    while transport.requests.count < 3 { await Task.yield() }
    #expect(source.numberOfObjects == 4)
    #expect(transport.urls.map { $0.suffix(1) } == ["1", "2", "3"])
  }

  @Test func aFailedPrefetchIsRequestedAgain() async throws {
    let good = pages([2, 2])
    let isBroken = Cancellation()
    let transport = ScriptedServer { request in
      if request.sentURL.hasSuffix("2"), isBroken.isCancelled { return .json("", status: 500) }
      return try await good.send(request)
    }
    let source = try source(transport, prefetches: true)
    isBroken.cancel()
    try await source.fetchData()
    while transport.requests.count < 2 { await Task.yield() }
    // Let the response arrive while the server still fails.
    for _ in 0..<100 { await Task.yield() }
    isBroken.reset()
    try await source.fetchNextPage()
    #expect(source.numberOfObjects == 4)
  }
}
