import DataTables
import Testing

@testable import DataSources

/// Every kind of source below every source that misbehaves on request, and these below other wrappers.
///
/// On an actor, as in an app, so that a fetch can be under way while the test looks at it.
@MainActor struct FaultyFetchTests {
  private let clock = AdjustableClock(date: 0)

  private func fetch(_ source: any DataSource) async throws {
    try await AdjustableClock.$current.withValue(clock) {
      try await source.fetchData(progress: Progress(clock: clock))
    }
  }

  /// A delegate that keeps the counts at the end of each fetch or edit.
  private final class Counts: DataSourceDelegate {
    private(set) var names: [String] = []
    private(set) var objects = 0

    func dataSource(_ source: any DataSource, did event: SourceEvent) {
      names.append(event.name)
      if case .finished = event { objects = source.numberOfObjects }
    }

    func take() -> [String] {
      defer { names = [] }
      return names
    }
  }

  private func check(
    _ source: any DataSource, _ counts: Counts, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await source.brokenInvariants() == [], sourceLocation: location)
    #expect(counts.objects == source.numberOfObjects, sourceLocation: location)
  }

  @Test(arguments: FaultBase.all, FaultBase.wrappers)
  func aSlowSourceDelaysItsFetchesOnly(base: FaultBase, wrapper: FaultBase.Wrapper) async throws {
    let below = try await base.make()
    let slow = SlowSource(below.source, delay: .seconds(5))
    let source = try wrapper.wrap(slow)
    let counts = Counts()
    source.delegate = counts
    try await fetch(source)
    #expect(clock.date == 5)
    #expect(try await slow.shown == below.source.shown)
    let first = try await source.shown
    try await check(source, counts)
    _ = counts.take()
    // A change below is shown at once; nothing has the time to wait.
    try await below.change()
    #expect(clock.date == 5)
    #expect(try await slow.shown == below.source.shown)
    #expect(counts.take().last == "finished")
    try await check(source, counts)
    try await below.revert()
    #expect(try await source.shown == first)
    #expect(clock.date == 5)
    try await check(source, counts)
  }

  @Test(arguments: FaultBase.all, FaultBase.wrappers)
  func aDelayedFetchCanBeCanceled(base: FaultBase, wrapper: FaultBase.Wrapper) async throws {
    let below = try await base.make()
    let slow = SlowSource(below.source, delay: .seconds(3_600))
    let source = try wrapper.wrap(slow)
    let counts = Counts()
    source.delegate = counts
    try await fetch(source)
    let content = try await source.shown
    _ = counts.take()
    // In real time, in which the delay does not pass before the cancellation.
    let task = Task { try await source.fetchData(progress: Progress(clock: AdjustableClock())) }
    while !slow.isFetching { try await Task.sleep(for: .milliseconds(1)) }
    source.cancelFetch()
    await #expect(throws: SourceError.data(.cancelled)) { try await task.value }
    #expect(counts.take().first { $0 != "partial" } == "will")
    #expect(source.error?.isCancelled == true)
    #expect(try await source.shown == content)
    try await fetch(source)
    #expect(source.error == nil && clock.date == 7_200)
    try await check(source, counts)
  }

  @Test(arguments: FaultBase.all, FaultBase.wrappers)
  func aDelayedFetchInTheBackgroundEndsInItsTime(
    base: FaultBase, wrapper: FaultBase.Wrapper
  ) async throws {
    let below = try await base.make()
    let slow = SlowSource(below.source, delay: .milliseconds(30))
    let source = try wrapper.wrap(slow)
    let counts = Counts()
    source.delegate = counts
    let clock = AdjustableClock()
    let start = clock.now
    let task = Task { try await source.fetchData(progress: Progress(clock: clock)) }
    try await task.value
    #expect(start.duration(to: clock.now) >= .milliseconds(30))
    #expect(try await slow.shown == below.source.shown)
    try await check(source, counts)
  }

  @Test(arguments: FaultBase.all, FaultBase.wrappers)
  func aFaultKeepsTheOldContent(base: FaultBase, wrapper: FaultBase.Wrapper) async throws {
    let below = try await base.make()
    let faults = Faults(failing: [FailingAttempt(.fetch, 2)])
    let faulty = FaultySource(below.source, faults: faults)
    let source = try wrapper.wrap(faulty)
    let counts = Counts()
    source.delegate = counts
    try await fetch(source)
    let content = try await source.shown
    let rounds = below.source.state.endedRounds
    _ = counts.take()
    await #expect(throws: SourceError.self) { try await fetch(faulty) }
    guard case .fault(let message)? = faulty.error else {
      Issue.record("\(String(describing: faulty.error))")
      return
    }
    #expect(message == "`faulty` was asked to fail fetch 2 (`fail: fetch 2`)")
    #expect(below.source.state.endedRounds == rounds)
    #expect(try await source.shown == content)
    #expect(faulty.transcript.map(\.event.name) == ["will", "failed"])
    try await check(source, counts)
    // An edit below ends the failure; so does the next fetch.
    try await below.change()
    #expect(faulty.error == nil && source.error == nil)
    #expect(try await faulty.shown == below.source.shown)
    try await check(source, counts)
    try await below.revert()
    #expect(try await source.shown == content)
    try await fetch(source)
    #expect(source.error == nil)
    #expect(try await source.shown == content)
    try await check(source, counts)
  }

  @Test(arguments: FaultBase.all, FaultBase.wrappers)
  func aFirstFaultLeavesNoContent(base: FaultBase, wrapper: FaultBase.Wrapper) async throws {
    let below = try await base.make()
    let faulty = FaultySource(
      below.source, faults: Faults(failing: [FailingAttempt(.fetch, 1)]))
    let source = try wrapper.wrap(faulty)
    try? await fetch(source)
    #expect(faulty.state.snapshot == nil)
    if source.children.count == 1 {
      guard case .fault? = source.error else {
        Issue.record("\(String(describing: source.error))")
        return
      }
      #expect(source.state.snapshot == nil)
    }
    try await fetch(source)
    #expect(source.error == nil)
    #expect(try await faulty.shown == below.source.shown)
  }

  @Test(arguments: FaultBase.all, FaultBase.wrappers)
  func aStaleSourceKeepsItsFirstContent(base: FaultBase, wrapper: FaultBase.Wrapper) async throws {
    let below = try await base.make()
    let stale = StaleSource(below.source)
    let source = try wrapper.wrap(stale)
    let counts = Counts()
    source.delegate = counts
    try await fetch(source)
    let content = try await source.shown
    #expect(!stale.isOutdated)
    _ = counts.take()
    try await below.change()
    #expect(stale.isOutdated)
    #expect(counts.take() == [])
    #expect(try await source.shown == content)
    try await fetch(source)
    #expect(counts.take().last == "finished")
    #expect(try await source.shown == content)
    #expect(try await source.changes().isEmpty)
    try await check(source, counts)
    // The same objects as before are not out of date.
    try await below.revert()
    #expect(!stale.isOutdated)
    try await below.change()
    stale.isStale = false
    #expect(stale.isOutdated)
    try await fetch(source)
    #expect(!stale.isOutdated)
    #expect(try await stale.shown == below.source.shown)
    try await check(source, counts)
    try await below.revert()
    #expect(try await source.shown == content)
  }

  @Test(arguments: FaultBase.all) func objectsAreFoundInTheSourceBelow(base: FaultBase) async throws
  {
    let below = try await base.make()
    let sources: [any DataSource] = [
      SlowSource(below.source, delay: .seconds(1)),
      FaultySource(below.source, faults: Faults()), StaleSource(below.source),
    ]
    for source in sources {
      try await fetch(source)
      let content = try source.content
      for section in 0..<content.numberOfSections {
        for row in 0...(try content.numberOfObjects(in: section)) {
          let path = IndexPath(section: section, row: row)
          let expected = ObjectOrigin(child: 0, path: path)
          #expect(try await source.origin(ofPlace: path, in: content) == expected)
          guard row < (try content.numberOfObjects(in: section)) else { continue }
          #expect(try await source.origin(of: path, in: content) == expected)
          let shown = await source.indexPaths(ofObjectAt: path, ofChild: 0, in: content)
          #expect(shown == [path])
        }
      }
    }
  }

  @Test func delaysOverEachOtherAddUp() async throws {
    let source = SlowSource(
      SlowSource(SimpleSource([1]), delay: .seconds(2)), delay: .seconds(3))
    try await fetch(source)
    #expect(clock.date == 5)
  }

  @Test nonisolated func childrenArriveInTheOrderOfTheirDelays() async {
    let events = await DeterministicExecutor.run { isolation in
      let clock = AdjustableClock(date: 0)
      let children = [3, 1, 2].map {
        SlowSource(SimpleSource([1]), delay: .seconds($0), name: "\($0)")
      }
      let listener = Listener()
      for child in children { child.delegate = listener }
      do {
        try await MultiSource(children).fetchData(progress: Progress(clock: clock))
      } catch {
        return ["\(error)"]
      }
      return listener.events.filter { $0.hasSuffix("finished") } + ["\(clock.date)"]
    }
    #expect(events == ["1 finished", "2 finished", "3 finished", "3"])
  }
}
