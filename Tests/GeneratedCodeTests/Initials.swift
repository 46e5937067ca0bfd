// initials: sectioned by name.firstCharacter, sorted by name
import DataSources
import DataTables
import Testing

/// The sources of `initials`, each over those that it wraps.
@MainActor final class InitialsSources {
  let foods: SimpleSource
  let late: SlowSource
  let weak: FaultySource
  let kept: StaleSource
  let initials: SectionedSource

  init() async throws {
    foods = SimpleSource([["name": "Pie", "kind": "sweet"], ["name": "Apple", "kind": "fruit"]])
    late = SlowSource(foods, delay: .seconds(1.5))
    weak = FaultySource(
      late,
      faults: Faults(failing: [FailingAttempt(.fetch, 1)], rate: FailureRate(0.25, seed: 7))
    )
    kept = StaleSource(weak)
    initials = SectionedSource(
      kept,
      key: try ObjectKeyPath(parsing: "name.firstCharacter"),
      sort: [SortDescriptor(try ObjectKeyPath(parsing: "name"))]
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await initials.fetchData()
  }
}

// The expectations of the session about initials.
@MainActor struct InitialsSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await InitialsSources()
    sources.late.delay = .zero
    sources.weak.faults = Faults()
    try await sources.fetch()
    #expect(try await sources.initials.sectionTitles() == ["A", "P"])
  }
}
