import DataSources
import DataTables
import Testing

/// Runs on an actor, like an app, so that children are fetched concurrently.
@MainActor struct MultiSourceTests {
  private let three = SimpleSource(records("n", [1, 2, 3]), name: "three")
  private let four = SimpleSource(records("n", [1, 4, 5, 6]), name: "four")

  @Test func everySourceIsASectionWithItsName() async throws {
    let multi = MultiSource([three, four])
    #expect(multi.numberOfSections == 0)
    try await multi.fetchData()
    #expect(try multi.sizes == [3, 4])
    #expect(try await multi.sectionTitles() == ["three", "four"])
    #expect(
      try await multi.indexPath(for: records("n", [1])[0]) == IndexPath(section: 0, row: 0))
    #expect(
      try await multi.indexPath(for: records("n", [6])[0]) == IndexPath(section: 1, row: 3))
  }

  @Test func preservedSectionsFollowTheOrderOfTheSources() async throws {
    let categories = SectionedSource(
      SimpleSource(records("category", ["first", "first", "second", "third"])),
      key: try path("category"))
    let multi = MultiSource([categories, four], preservesSections: true)
    try await multi.fetchData()
    #expect(try multi.sizes == [2, 1, 1, 4])
    #expect(try await multi.sectionTitles() == ["first", "second", "third", "four"])
  }

  @Test func theDelegateReceivesAPartialForEachChildButTheLast() async throws {
    let multi = MultiSource([three, four, SimpleSource([])], name: "all")
    let listener = Listener()
    for source in [multi, three, four] as [any DataSource] { source.delegate = listener }
    try await multi.fetchData()
    #expect(
      listener.events == [
        "all will", "three will", "three finished", "all partial", "four will", "four finished",
        "all partial", "all finished",
      ])
  }

  @Test func withoutChildrenAFetchReportsWillAndFinished() async throws {
    let multi = MultiSource([])
    let listener = Listener()
    multi.delegate = listener
    try await multi.fetchData()
    #expect(listener.events == ["will", "finished"])
    #expect(multi.numberOfSections == 0 && multi.error == nil)
  }

  /// Fetches while the children finish in the order of `gates`, and returns the events.
  private func fetch(
    _ multi: MultiSource, opening gates: [GatedSource]
  ) async throws -> [String] {
    let fetch = Task { try await multi.fetchData() }
    for gate in gates {
      while !gate.isWaiting { await Task.yield() }
    }
    for gate in gates {
      gate.open()
      while gate.isFetching { await Task.yield() }
    }
    try await fetch.value
    return multi.transcript.map { entry in
      guard case .partial(.child(let outcome)?) = entry.event else {
        return "\(entry.source.name) \(entry.event.name)"
      }
      return "\(entry.source.name) partial \(outcome.name)"
    }
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func childrenFinishInAnyOrderAndKeepTheirPosition(order: [Int]) async throws {
    let gates = ["a", "b", "c"].map { GatedSource(name: $0) }
    for (number, gate) in gates.enumerated() {
      gate.isGated = true
      gate.result = .success([.integer(number)])
    }
    let multi = MultiSource(gates, name: "all")
    let events = try await fetch(multi, opening: order.map { gates[$0] })
    let names = order.map { gates[$0].name }
    #expect(
      events == [
        "all will", "a will", "b will", "c will", "\(names[0]) finished",
        "all partial \(names[0])", "\(names[1]) finished",
        "all partial \(names[1])", "\(names[2]) finished", "all finished",
      ])
    #expect(try await multi.allObjects() == [0, 1, 2])
    #expect(try await multi.sectionTitles() == ["a", "b", "c"])
  }

  @Test func aFailedChildIsListedAndKeepsItsObjects() async throws {
    let gate = GatedSource(name: "remote")
    gate.result = .success([1, 2])
    let multi = MultiSource([three, gate])
    try await multi.fetchData()
    gate.result = .failure(.io("gone"))
    try await multi.fetchData()
    let failure = ChildOutcome(index: 1, name: "remote", error: .data(.io("gone")))
    #expect(multi.error == nil && gate.error != nil)
    #expect(try multi.content.failures == [failure])
    #expect(multi.transcript.last?.failures == [failure])
    #expect(try multi.sizes == [3, 2])
    gate.result = .success([3])
    try await multi.fetchData()
    #expect(try multi.content.failures.isEmpty)
    #expect(try multi.sizes == [3, 1])
  }

  @Test func aChildWithoutContentIsAnEmptySection() async throws {
    let gate = GatedSource(name: "remote")
    gate.result = .failure(.io("gone"))
    let multi = MultiSource([gate, three])
    try await multi.fetchData()
    #expect(try multi.sizes == [0, 3])
    multi.preservesSections = true
    try await multi.fetchData()
    #expect(try multi.sizes == [3])
  }

  @Test func whenAllChildrenFailTheFetchFails() async throws {
    let gates = ["a", "b"].map { GatedSource(name: $0) }
    gates[0].result = .success([1])
    let multi = MultiSource(gates)
    try await multi.fetchData()
    for gate in gates { gate.result = .failure(.io(gate.name)) }
    await #expect(throws: SourceError.data(.io("a"))) { try await multi.fetchData() }
    #expect(multi.transcript.last?.event.name == "failed")
    #expect(try multi.sizes == [1, 0])
  }

  @Test func aChildThatOccursTwiceIsFetchedOnce() async throws {
    let gate = GatedSource(name: "a")
    gate.result = .success([1])
    let multi = MultiSource([SectionedSource(gate), gate, gate, three])
    try await multi.fetchData()
    #expect(gate.fetchCount == 1)
    #expect(try multi.sizes == [1, 1, 1, 3])
  }

  @Test func concurrentChildrenStayOnTheActor() async throws {
    let gates = (0..<50).map { GatedSource(name: "\($0)") }
    let multi = MultiSource(gates)
    try await multi.fetchData()
    #expect(gates.allSatisfy { $0.actor == ObjectIdentifier(MainActor.shared) })
    #expect(multi.transcript.count(where: { $0.event.name == "finished" }) == 51)
  }

  @Test func withoutAnActorSourcesAreFetchedOneAfterAnother() async throws {
    let events = try await Self.eventsElsewhere()
    #expect(events == ["will", "will", "finished", "partial", "will", "finished", "finished"])
  }

  @concurrent
  private static func eventsElsewhere() async throws -> [String] {
    let multi = MultiSource(["a", "b"].map { GatedSource(name: $0) })
    try await multi.fetchData()
    return multi.transcript.map(\.event.name)
  }

  @Test func aCanceledFetchKeepsTheOldContent() async throws {
    let gate = GatedSource(name: "a")
    gate.result = .success([1])
    let multi = MultiSource([gate, three])
    try await multi.fetchData()
    gate.result = .success([1, 2])
    gate.isGated = true
    let fetch = Task { try await multi.fetchData() }
    while !gate.isWaiting { await Task.yield() }
    multi.cancelFetch()
    gate.open()
    await #expect(throws: SourceError.data(.cancelled)) { try await fetch.value }
    #expect(try multi.sizes == [1, 3])
  }

  @Test func aReloadBelowUpdatesTheMulti() async throws {
    let gate = GatedSource(name: "a")
    gate.result = .success([1])
    let multi = MultiSource([gate, three])
    try await multi.fetchData()
    gate.result = .success([1, 2])
    try await gate.fetchData()
    #expect(try multi.sizes == [2, 3])
  }

  @Test func aMultiIsSortedAndSplitAcrossItsChildren() async throws {
    let multi = MultiSource([three, four, SimpleSource(records("m", ["x"]))])
    let sorted = SectionedSource(
      multi, key: try path("n"), sort: [SortDescriptor(try path("n"), direction: .descending)])
    try await sorted.fetchData()
    #expect(try await sorted.sectionTitles() == [6, 5, 4, 3, 2, 1, nil])
    #expect(try sorted.sizes == [1, 1, 1, 1, 1, 2, 1])
    // The sort is stable: rows of the first child precede equal rows of the second.
    #expect(
      try await sorted.origin(of: IndexPath(section: 5, row: 1), in: try sorted.content)
        == ObjectOrigin(child: 0, path: IndexPath(section: 1, row: 0)))
  }

  @Test func nestedMultisShareOneTable() async throws {
    let inner = MultiSource([three, four])
    let outer = MultiSource([inner, three], preservesSections: true)
    try await outer.fetchData()
    let table = try #require(try outer.content.store.local?.table as? ConcatenatedTable)
    #expect(table.parts.count == 3)
    #expect(try outer.sizes == [3, 4, 3])
  }
}
