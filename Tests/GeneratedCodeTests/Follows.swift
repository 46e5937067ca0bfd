// follows: stale, following again
import DataSources
import DataTables
import Testing

/// The sources of `follows`, each over those that it wraps.
@MainActor final class FollowsSources {
  let foods: SimpleSource
  let late: SlowSource
  let follows: StaleSource

  init() async throws {
    foods = SimpleSource([["name": "Apple", "kind": "fruit"]])
    late = SlowSource(foods, delay: .seconds(1.5))
    follows = StaleSource(late, isStale: false)
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await follows.fetchData()
  }
}

// The expectations of the session about follows.
@MainActor struct FollowsSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await FollowsSources()
    sources.late.delay = .zero
    try await sources.fetch()
    #expect(sources.follows.numberOfObjects == 1)
  }
}
