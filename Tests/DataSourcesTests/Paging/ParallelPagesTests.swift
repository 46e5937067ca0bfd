import DataTables
import Synchronization
import Testing

@testable import DataSources

@Suite struct ParallelPagesTests {
  /// Responds with pages of numbers, up to `width` of them side by side, in an order that a test
  /// determines, and counts how many are under way.
  private final class Server: Transport {
    private struct State {
      var running = 0
      var most = 0
      var started: [String] = []
    }
    private let state = Mutex(State())
    private let width: Int
    private let respond: @Sendable (TransportRequest) async throws -> String

    init(width: Int = 4, _ respond: @escaping @Sendable (TransportRequest) async throws -> String) {
      self.width = width
      self.respond = respond
    }

    func policy(for request: TransportRequest) -> SendingPolicy {
      SendingPolicy(parallelRequests: width)
    }

    /// The most requests that were under way at the same time.
    var most: Int { state.withLock { $0.most } }
    var started: [String] { state.withLock { $0.started } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      state.withLock { state in
        state.running += 1
        state.most = max(state.most, state.running)
        state.started.append(request.query[0].value.sent)
      }
      defer { state.withLock { $0.running -= 1 } }
      return .json(try await respond(request))
    }
  }

  private func source(_ server: Server, _ paging: Paging = Paging()) throws -> PaginatedSource {
    var options = ReadOptions()
    options.keyPath = try path("d")
    return PaginatedSource(
      TransportRequest(url: "http://example.test/list"), through: server, paging: paging,
      options: options, formats: .core, name: "list")
  }

  @Test func pagesOfAKnownNumberAreFetchedSideBySideAndAppendedInOrder() async throws {
    let server = Server { request in
      let number = Int(request.query[0].value.sent) ?? 0
      // Later pages arrive first.
      for _ in 0..<(20 - number) * 10 { await Task.yield() }
      return #"{"number_of_pages": 20, "d": [\#(number * 2), \#(number * 2 + 1)]}"#
    }
    let source = try source(server)
    let listener = Listener()
    source.delegate = listener
    try await source.fetchAllPages()
    #expect(try await source.allObjects() == (2..<42).map { Value.integer($0) })
    #expect(server.most > 1 && server.most <= 4)
    #expect(Set(server.started).count == 20 && server.started.count == 20)
    #expect(listener.events == ["list will", "list partial", "list finished"])
    #expect(
      source.exchanges.map(\.url)
        == (1...20).map { "http://example.test/list?page=\($0)" })
  }

  @Test func offsetsFollowThePagesThatTurnOutShort() async throws {
    // Eleven objects in pages of 3; the second has 2 only.
    let server = Server { request in
      let offset = Int(request.query[0].value.sent) ?? 0
      let end = min(11, offset + (offset == 3 ? 2 : 3))
      let items = (offset..<max(offset, end)).map(String.init).joined(separator: ",")
      return #"{"total_count": 11, "d": [\#(items)]}"#
    }
    let source = try source(server, Paging(.offset))
    try await source.fetchAllPages()
    #expect(try await source.allObjects() == (0..<11).map { Value.integer($0) })
  }

  @Test func aWrongGuessOfAnOffsetEndsTheGuesses() async throws {
    // Pages of 3 and 2 objects in turn, whose offsets cannot be guessed.
    let server = Server { request in
      let offset = Int(request.query[0].value.sent) ?? 0
      let end = min(50, offset + (offset % 5 == 0 ? 3 : 2))
      let items = (offset..<max(offset, end)).map(String.init).joined(separator: ",")
      return #"{"total_count": 50, "d": [\#(items)]}"#
    }
    let source = try source(server, Paging(.offset))
    try await source.fetchAllPages()
    #expect(try await source.allObjects() == (0..<50).map { Value.integer($0) })
    // 20 pages, and at most the guesses after the first page.
    #expect(server.started.count <= 20 + 3)
  }

  @Test func theFirstFailureInTheOrderOfPagesIsReported() async throws {
    let server = Server { request in
      let number = Int(request.query[0].value.sent) ?? 0
      if number == 5 { throw TransportError.network("fifth", isTransient: false) }
      if number == 3 {
        for _ in 0..<1000 { await Task.yield() }
        throw TransportError.network("third", isTransient: false)
      }
      return #"{"number_of_pages": 9, "d": [\#(number)]}"#
    }
    let source = try source(server)
    try await source.fetchData()
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
    #expect(source.error?.message.hasSuffix("page=3: third") == true)
    #expect(source.numberOfObjects == 1 && source.currentPage == 1)
  }

  @Test @MainActor func aCanceledFetchCancelsAllRequests() async throws {
    let ended = Mutex(0)
    let server = Server { request in
      guard request.query[0].value.sent != "1" else { return #"{"number_of_pages": 9, "d": [1]}"# }
      defer { ended.withLock { $0 += 1 } }
      try await Task.sleep(for: .seconds(3600))
      return ""
    }
    let source = try source(server)
    let task = Task { try await source.fetchAllPages() }
    while server.started.count < 5 { await Task.yield() }
    source.cancelFetch()
    await #expect(throws: SourceError.data(.cancelled)) { try await task.value }
    #expect(ended.withLock { $0 } == 4)
  }

  @Test func noMorePagesAreRequestedThanTheLimitAllows() async throws {
    let server = Server { _ in #"{"number_of_pages": 9, "d": [1]}"# }
    let source = try source(server)
    source.pageLimit = 3
    await #expect(throws: SourceError.self) { try await source.fetchAllPages() }
    #expect(server.started.count == 3)
  }

  @Test(arguments: [Paging.Style.cursor, .link, .page])
  func pagesThatAreNotKnownAheadAreRequestedOneAfterAnother(style: Paging.Style) async throws {
    let numbers = Mutex(0)
    let server = Server { _ in
      let number = numbers.withLock { number in
        number += 1
        return number
      }
      return number < 4 ? #"{"d": [\#(number)], "next": "c\#(number)"}"# : #"{"d": []}"#
    }
    var paging = Paging(style)
    paging.cursor = try path("next")
    // Without a first parameter, the server of this test could not log it.
    paging.pageSize = 1
    let source = try source(server, paging)
    try await source.fetchAllPages()
    #expect(server.most == 1)
  }
}
