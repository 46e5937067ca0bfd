import DataTables
import Testing

@testable import DataSources

/// On an actor, as in an app, where fetches run concurrently.
@MainActor struct PageSelectionTests {
  /// Three pages of one number each, which are sent when `isOpen` is canceled.
  private func pages(_ isOpen: Cancellation) -> ScriptedServer {
    ScriptedServer { request in
      while !isOpen.isCancelled { try await Task.sleep(for: .milliseconds(1)) }
      let page = request.query.first { $0.name == "page" }?.value.sent ?? ""
      return .json(["1", "2", "3"].contains(page) ? "[\(page)]" : "[]")
    }
  }

  private func source(_ transport: any Transport) -> PaginatedSource {
    PaginatedSource(
      TransportRequest(url: "http://example.test/list"), through: transport, formats: .core)
  }

  @Test func aFetchDuringAFetchOfAllPagesFetchesOnePage() async throws {
    let isOpen = Cancellation()
    isOpen.cancel()
    let paginated = source(pages(isOpen))
    let gated = GatedSource()
    gated.isGated = true
    let multi = MultiSource([gated, paginated])
    let all = Task { try await multi.fetchAllPages() }
    while !gated.isWaiting { await Task.yield() }
    while paginated.isFetching || paginated.state.endedRounds == 0 { await Task.yield() }
    // It ends only after the wrapper, which is still being fetched.
    let first = Task { try await paginated.fetchData() }
    while paginated.state.endedRounds < 2 { await Task.yield() }
    #expect(paginated.numberOfFetchedPages == 1)
    gated.open()
    try await all.value
    try await first.value
  }

  @Test(arguments: [false, true])
  func aFetchOfAllPagesFollowsAFetchOfOnePage(isBelow: Bool) async throws {
    let isOpen = Cancellation()
    let paginated = source(pages(isOpen))
    let first = Task { try await paginated.fetchData() }
    while !paginated.isFetching { await Task.yield() }
    let fetched: any DataSource = isBelow ? SectionedSource(paginated) : paginated
    let all = Task { try await fetched.fetchAllPages() }
    for _ in 0..<10 { await Task.yield() }
    isOpen.cancel()
    try await first.value
    try await all.value
    #expect(paginated.numberOfObjects == 3 && fetched.numberOfObjects == 3)
  }
}
