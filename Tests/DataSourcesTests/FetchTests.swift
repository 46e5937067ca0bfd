import DataSources
import DataTables
import Testing

@MainActor
struct FetchTests {
  private let listener = Listener()

  private func listen(to sources: any DataSource...) {
    for source in sources { source.state.add(listener: listener) }
  }

  @Test func aTranscriptIncludesTheEventsOfSourcesBelow() async throws {
    let foods = SimpleSource(records("name", ["Pie", "Apple"]), name: "foods")
    let letters = SectionedSource(foods, key: try path("name"), name: "letters")
    try await letters.fetchData()
    let lines = letters.transcript.map { "\($0.depth) \($0.source.name) \($0.event.name)" }
    #expect(
      lines == ["0 letters will", "1 foods will", "1 foods finished", "0 letters finished"])
    #expect(letters.transcript.map(\.sections) == [0, 0, 1, 2])
    #expect(foods.transcript.map(\.depth) == [0, 0])
  }

  @Test func theDelegateReceivesEachEventOnceBeforeListeners() async throws {
    let source = SimpleSource([1], name: "a")
    source.delegate = listener
    listen(to: source, source)
    try await source.fetchData()
    #expect(listener.events == ["a will", "a will", "a finished", "a finished"])
    source.state.remove(listener: listener)
    listener.forget()
    try await source.fetchData()
    #expect(listener.events == ["a will", "a finished"])
  }

  @Test func theStateIsUpdatedBeforeFinishedIsReported() async throws {
    final class StateRecorder: DataSourceDelegate {
      var counts: [Int] = []
      var fetching: [Bool] = []
      func dataSource(_ source: any DataSource, did event: SourceEvent) {
        counts.append(source.numberOfObjects)
        fetching.append(source.isFetching)
      }
    }
    let inner = GatedSource()
    inner.result = .success([1, 2])
    let recorder = StateRecorder()
    inner.delegate = recorder
    try await inner.fetchData()
    #expect(recorder.counts == [0, 2])
    #expect(recorder.fetching == [true, false])
  }

  @Test func aWrapperFollowsAReloadBelowOnceItWasFetched() async throws {
    let inner = SimpleSource(records("x", [1]), name: "inner")
    let outer = SectionedSource(inner, name: "outer")
    let unfetched = SectionedSource(inner, name: "unfetched")
    listen(to: inner, outer, unfetched)
    try await inner.fetchData()
    #expect(listener.events == ["inner will", "inner finished"])
    try await outer.fetchData()
    listener.forget()
    try await inner.fetchData()
    #expect(
      listener.events == ["inner will", "inner finished", "outer will", "outer finished"])
    #expect(unfetched.numberOfSections == 0)
    #expect(outer.transcript.map { $0.source.name } == ["inner", "inner", "outer", "outer"])
  }

  @Test func aFailureBelowIsForwardedToWrappers() async throws {
    let inner = GatedSource()
    inner.result = .success([1])
    let outer = SectionedSource(inner, name: "outer")
    try await outer.fetchData()
    inner.result = .failure(.io("gone"))
    listen(to: outer)
    await #expect(throws: SourceError.data(.io("gone"))) { try await inner.fetchData() }
    #expect(listener.events == ["outer will", "outer failed"])
    #expect(outer.error == .data(.io("gone")) && outer.numberOfObjects == 1)
  }

  @Test func sourcesInADiamondAreFetchedOnceInnerOnesFirst() async throws {
    let base = GatedSource()
    base.result = .success(records("x", [2, 1]))
    let left = SectionedSource(base, name: "left")
    let right = SectionedSource(base, key: try path("x"), name: "right")
    let top = ChainedSource([left, right, base], name: "top")
    listen(to: base, left, right, top)
    try await top.fetchData()
    #expect(base.fetchCount == 1)
    #expect(
      listener.events == [
        "top will", "left will", "gated will", "gated finished", "left finished", "top partial",
        "right will", "right finished", "top partial", "top partial", "top finished",
      ])
    #expect(top.numberOfObjects == 6)
    #expect(top.transcript.first { $0.source === base }?.depth == 2)

    listener.forget()
    base.result = .success(records("x", [3]))
    try await base.fetchData()
    #expect(base.fetchCount == 2)
    #expect(
      listener.events == [
        "gated will", "gated finished", "left will", "left finished", "right will",
        "right finished", "top will", "top partial", "top partial", "top partial", "top finished",
      ])
    #expect(top.numberOfObjects == 3)
  }

  @Test func anUpdateDoesNotFetchUnchangedSources() async throws {
    let first = GatedSource()
    let second = GatedSource()
    first.result = .success([1])
    second.result = .success([2])
    let top = ChainedSource([first, second])
    try await top.fetchData()
    try await first.fetchData()
    #expect(first.fetchCount == 2 && second.fetchCount == 1)
    #expect(try await top.allObjects() == [1, 2])
  }

  @Test func aFetchDuringAFetchJoinsIt() async throws {
    let source = GatedSource()
    source.isGated = true
    source.result = .success([1, 2])
    listen(to: source)
    let fetches = (0..<3).map { _ in Task { try await source.fetchData() } }
    while source.fetchCount == 0 { await Task.yield() }
    for _ in 0..<10 { await Task.yield() }
    #expect(source.isFetching)
    source.open()
    for fetch in fetches { try await fetch.value }
    #expect(source.fetchCount == 1)
    #expect(listener.events == ["gated will", "gated finished"])
  }

  @Test func joiningAFetchThatFailsFailsToo() async throws {
    let source = GatedSource()
    source.isGated = true
    source.result = .failure(.io("gone"))
    let outer = SectionedSource(source)
    let first = Task { try await source.fetchData() }
    while source.fetchCount == 0 { await Task.yield() }
    let second = Task { try await outer.fetchData() }
    while !outer.isFetching { await Task.yield() }
    for _ in 0..<10 { await Task.yield() }
    source.isGated = false
    source.open()
    await #expect(throws: SourceError.data(.io("gone"))) { try await first.value }
    await #expect(throws: SourceError.data(.io("gone"))) { try await second.value }
    #expect(outer.error == .data(.io("gone")))
  }

  @Test func aCanceledFetchKeepsTheContent() async throws {
    let source = GatedSource()
    source.result = .success([1])
    let outer = SectionedSource(source, name: "outer")
    try await outer.fetchData()
    source.isGated = true
    source.result = .success([1, 2])
    listen(to: outer)
    let fetch = Task { try await outer.fetchData() }
    while source.fetchCount == 1 { await Task.yield() }
    outer.cancelFetch()
    source.open()
    await #expect(throws: SourceError.data(.cancelled)) { try await fetch.value }
    #expect(outer.error?.isCancelled == true && outer.numberOfObjects == 1)
    #expect(source.numberOfObjects == 1)
    #expect(listener.events == ["outer will", "outer failed"])
    source.isGated = false
    try await outer.fetchData()
    #expect(outer.error == nil && outer.numberOfObjects == 2)
  }

  @Test func cancelingTheTaskCancelsTheFetch() async throws {
    let source = GatedSource()
    source.isGated = true
    let fetch = Task { try await source.fetchData() }
    while source.fetchCount == 0 { await Task.yield() }
    fetch.cancel()
    source.open()
    await #expect(throws: SourceError.data(.cancelled)) { try await fetch.value }
    #expect(source.state.snapshot == nil)
  }

  @Test func aRaisedFlagFailsTheFetchBeforeASnapshotIsMade() async {
    let source = GatedSource()
    let flag = Cancellation()
    flag.cancel()
    listen(to: source)
    await #expect(throws: SourceError.data(.cancelled)) {
      try await source.fetchData(cancellation: flag)
    }
    #expect(source.fetchCount == 0)
    #expect(listener.events == ["gated will", "gated failed"])
  }

  @Test func eventsArriveInTheIsolationOfTheFetch() async throws {
    final class Checker: DataSourceDelegate {
      var count = 0
      func dataSource(_ source: any DataSource, did event: SourceEvent) {
        MainActor.preconditionIsolated()
        count += 1
      }
    }
    let checker = Checker()
    let inner = SimpleSource(records("x", [2, 1]))
    let outer = SectionedSource(inner, key: try path("x"))
    let top = ChainedSource([outer])
    for source in [inner, outer, top] as [any DataSource] { source.state.add(listener: checker) }
    try await top.fetchData()
    try await inner.fetchData()
    #expect(checker.count == 14)
  }

  @Test func wrappersAreNotKeptAlive() async throws {
    let inner = SimpleSource([1])
    weak var released: SectionedSource?
    do {
      let outer = SectionedSource(inner)
      try await outer.fetchData()
      released = outer
    }
    #expect(released == nil)
    try await inner.fetchData()
    #expect(inner.transcript.count == 2)
  }

  @Test func eachSourceInATowerOfDiamondsIsFetchedOnce() async throws {
    let base = GatedSource()
    base.result = .success([1])
    var top: any DataSource = SectionedSource(base)
    for _ in 0..<12 { top = ChainedSource([SectionedSource(top), SectionedSource(top)]) }
    try await top.fetchData()
    #expect(base.fetchCount == 1)
    #expect(top.numberOfObjects == 1 << 12)
    #expect(top.transcript.map(\.depth).max() == 25)
  }
}
