import DataSources
import DataTables
import TestSupport
import Testing

@testable import DSInterpreter

/// Fetches that run while other commands run.
@Suite struct BackgroundFetchTests {
  /// A source that records the actor of its fetch.
  private final class PlacedSource: DataSource {
    static let kind = "placed"
    static let fetchesSynchronously = false
    let state = SourceState(name: "placed")
    var children: [any DataSource] { [] }
    var summary: String { "placed" }
    private(set) var actor: ObjectIdentifier?

    func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
      await Task.yield()
      actor = currentActor()
      return Snapshot(LocalStore(table: ValueTable([1])))
    }
  }

  /// Fetches 50 sources at the same time.
  /// - Returns: how many of them were fetched on the caller's actor.
  private static func fetchesOnTheActor(
    isolation: isolated (any Actor)? = #isolation
  ) async -> Int {
    let sources = (0..<50).map { _ in PlacedSource() }
    let span = Span(ScriptText(""), 0..<0)
    var fetches: [BackgroundFetch] = []
    for source in sources {
      fetches.append(
        await BackgroundFetch.start(
          source, FetchOptions(), at: span, progress: Progress(clock: AdjustableClock.current),
          listener: nil))
    }
    for fetch in fetches { await fetch.wait(Cancellation()) }
    let actor = currentActor()
    return sources.count { $0.actor == actor && $0.numberOfObjects == 1 }
  }

  @Test @MainActor func fetchesStayOnTheActorOfTheirSources() async {
    #expect(await Self.fetchesOnTheActor() == 50)
  }

  @Test(arguments: [nil, 1, 2, 3])
  func fetchesOfATestStayOnItsActor(seed: UInt64?) async {
    let count = await DeterministicExecutor.run(seed: seed) { isolation in
      await Self.fetchesOnTheActor(isolation: isolation)
    }
    #expect(count == 50)
  }
}
