import DataTables
import StoreContract
import Testing

@testable import DataSources

/// A fetch that finds nothing changed keeps the contents: nothing is computed again.
struct UnchangedContentTests {
  private static func source() -> SimpleSource {
    SimpleSource((0..<40).map(SyntheticRows(40).object(at:)))
  }

  private struct Shown: Equatable {
    let titles: [Value]
    let sizes: [Int]
    let objects: [Value]

    init(_ source: any DataSource) async throws {
      titles = try await source.sectionTitles()
      sizes = try source.sizes
      objects = try await source.allObjects()
    }
  }

  /// Whether a fetch of `fetched` keeps the content of `source`.
  private static func keeps(
    _ source: any DataSource, after fetched: any DataSource
  ) async throws -> Bool {
    let old = try source.content
    try await fetched.fetchData()
    return try source.content.isSame(as: old)
  }

  @Test(arguments: Wrapping.all) func wrappersKeepTheirContents(wrapping: Wrapping) async throws {
    let source = Self.source()
    let wrapper = try wrapping.wrap(source)
    let outer = FilteredSource(wrapper, where: nil)
    let sibling = try Wrapping.all[0].wrap(source)
    // Some wrappings fail.
    guard (try? await outer.fetchData()) != nil else { return }
    let shown = try await Shown(wrapper)
    let events = outer.transcript.map { "\($0.event)" }
    #expect(try await Self.keeps(wrapper, after: wrapper))
    #expect(try await Self.keeps(wrapper, after: source))
    #expect(try await Self.keeps(wrapper, after: sibling))
    #expect(try await Self.keeps(outer, after: outer))
    #expect(outer.transcript.map { "\($0.event)" } == events)
    #expect(try await outer.changes().isEmpty)
    #expect(try await Shown(wrapper) == shown)

    // An edit makes the content anew, as a new wrapper shows it.
    try await source.edit(.remove(IndexPath(section: 0, row: 3)))
    try await outer.fetchData()
    let new = try wrapping.wrap(source)
    try await new.fetchData()
    #expect(try await Shown(wrapper) == Shown(new))
    try await source.undoEdit()
    try await outer.fetchData()
    #expect(try await Shown(wrapper) == shown)
    #expect(try await Self.keeps(wrapper, after: outer))
  }

  @Test func aNewSettingMakesTheContentAnew() async throws {
    let source = Self.source()
    let filtered = FilteredSource(source, where: try Self.age(atLeast: 20))
    try await filtered.fetchData()
    filtered.predicate = try Self.age(atLeast: 20)
    #expect(try await Self.keeps(filtered, after: filtered))
    filtered.predicate = try Self.age(atLeast: 50)
    // The source below updates the wrapper with the settings of its last fetch.
    #expect(try await Self.keeps(filtered, after: source))
    #expect(try await !Self.keeps(filtered, after: filtered))
    #expect(
      try await filtered.allObjects()
        == source.allObjects().filter { try Self.age(atLeast: 50).holds(on: $0) })
    filtered.showsEmpty = true
    #expect(try await !Self.keeps(filtered, after: filtered))
    try filtered.wrap(LimitedSource(source, limit: 5))
    try await filtered.fetchData()
    #expect(filtered.numberOfObjects <= 5)
  }

  @Test func anEarlierContentIsNotKept() async throws {
    let source = Self.source()
    let organized = OrganizedSource(source, .alphabetically, key: try path("city"))
    try await organized.fetchData()
    let shown = try await Shown(organized)
    try await organized.edit(.remove(IndexPath(section: 0, row: 0)))
    // A fetch shows the removed objects again.
    try await organized.fetchData()
    #expect(try await Shown(organized) == shown)
  }

  @Test func aMultiSourceFollowsItsChildren() async throws {
    let (first, second) = (Self.source(), Self.source())
    let multi = MultiSource([first, LimitedSource(second, limit: 3)])
    try await multi.fetchData()
    #expect(try await Self.keeps(multi, after: multi))
    #expect(try await Self.keeps(multi, after: second))
    try await second.edit(.remove(IndexPath(section: 0, row: 0)))
    #expect(try await multi.allObjects() == first.allObjects() + second.allObjects().prefix(3))
    multi.preservesSections = true
    #expect(try await !Self.keeps(multi, after: multi))
  }

  @Test func anUnchangedFileAndResponseAreKept() async throws {
    let server = ScriptedServer { request in
      if request.headers.contains(RequestParameter("If-None-Match", .plain("\"v1\""))) {
        return .text("", type: nil, status: 304)
      }
      return .json("[{\"age\": 1}, {\"age\": 30}]", headers: [HeaderField("etag", "\"v1\"")])
    }
    let source = try remote(server)
    let filtered = FilteredSource(source, where: try Self.age(atLeast: 20))
    try await filtered.fetchData()
    #expect(try await Self.keeps(filtered, after: filtered))
    #expect(server.requests.count == 2)

    let folder = try TemporaryFolder()
    let path = folder.path(of: "a.csv")
    try folder.write("age\n1\n30\n", to: "a.csv")
    let file = try await SimpleSource.load(path, formats: .core)
    let adults = FilteredSource(file, where: try Self.age(atLeast: 20))
    try await adults.fetchData()
    #expect(try await Self.keeps(adults, after: adults))
    try folder.write("age\n1\n30\n40\n", to: "a.csv")
    #expect(try await !Self.keeps(adults, after: file))
    #expect(adults.numberOfObjects == 2)
  }

  private static func age(atLeast age: Value) throws -> Predicate {
    .comparison(
      try Predicate.Comparison(
        .key(try path("age")), ComparisonOperator(.greaterOrEqual), .value(age)))
  }
}
