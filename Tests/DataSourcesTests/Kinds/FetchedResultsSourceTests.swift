import DataTables
import Testing

@testable import DataSources

struct FetchedResultsSourceTests {
  private static func people() -> SimpleSource {
    SimpleSource(
      [("Ann", "Paris"), ("Bob", "Rome"), ("Cid", "Paris"), ("Dan", "Rome")].map { name, city in
        ["name": .string(name), "city": .string(city)]
      })
  }

  private func results(
    _ source: any DataSource, _ sort: [String], section: String? = nil, limit: Int? = nil,
    cache: String? = nil
  ) throws -> FetchedResultsSource {
    let descriptors = try sort.map { key in
      let words = key.split(separator: " ").map(String.init)
      return SortDescriptor(
        try path(words[0]), direction: words.count > 1 ? .descending : .ascending)
    }
    return FetchedResultsSource(
      source,
      request: try FetchRequest(
        sort: descriptors, section: try section.map(path), limit: limit, cacheName: cache))
  }

  @Test func aSortDescriptorIsRequired() {
    #expect(throws: SourceError.self) { try FetchRequest(sort: []) }
  }

  @Test func aSortThatSplitsASectionIsAnError() async throws {
    let results = try results(Self.people(), ["name"], section: "city")
    await #expect(throws: SourceError.data(.sortMismatch(row: 2, title: "Paris"))) {
      try await results.fetchData()
    }
    #expect(
      results.error?.message == "object at index 2 has an out of order section name 'Paris'")
  }

  @Test(arguments: [["city", "name"], ["city desc"]])
  func aSortThatBeginsWithTheSectionIsAccepted(sort: [String]) async throws {
    let results = try results(Self.people(), sort, section: "city")
    try await results.fetchData()
    #expect(try results.sizes == [2, 2])
  }

  @Test func theLimitAppliesAfterTheSort() async throws {
    let results = try results(Self.people(), ["name desc"], limit: 2)
    try await results.fetchData()
    #expect(
      try await results.allObjects().map { try path("name").evaluate(on: $0) } == ["Dan", "Cid"])
    results.request.limit = 9
    try await results.fetchData()
    #expect(results.numberOfObjects == 4)
    // Only rows within the limit can be out of order.
    let few = try self.results(Self.people(), ["name"], section: "city", limit: 2)
    try await few.fetchData()
    #expect(try few.sizes == [1, 1])
  }

  @Test func changesBelowAreFollowedOnlyWhileWatched() async throws {
    let gate = GatedSource()
    gate.result = .success(records("name", ["Ann"]))
    let results = try results(gate, ["name"])
    let above = SectionedSource(results)
    let (first, second) = (Listener(), Listener())
    try await above.fetchData()
    results.delegate = first
    above.delegate = second
    gate.result = .success(records("name", ["Ann", "Bob"]))
    try await gate.fetchData()
    #expect(results.numberOfObjects == 1 && above.numberOfObjects == 1)
    #expect(first.events.isEmpty && second.events.isEmpty)
    results.state.isWatched = true
    try await gate.fetchData()
    #expect(results.numberOfObjects == 2 && above.numberOfObjects == 2)
    #expect(first.events == ["will", "finished"] && second.events == ["will", "finished"])
  }

  @Test func aCacheKeepsTheResultsOfTheSameRequest() async throws {
    let people = Self.people()
    let first = try results(people, ["city"], section: "city", cache: "cities")
    try await first.fetchData()
    let kept = try #require(people.state.cachedResults["cities"])
    let store = try #require(try people.content.store.local)
    #expect(kept.isResult(of: first.request, from: store))
    var other = first.request
    other.limit = 1
    #expect(!kept.isResult(of: other, from: store))
    let elsewhere = try #require(try Self.people().content.store.local)
    #expect(!kept.isResult(of: first.request, from: elsewhere))
    // Another source with the same request reuses the results.
    let second = try results(people, ["city"], section: "city", cache: "cities")
    try await second.fetchData()
    #expect(try second.sizes == [2, 2])
  }

  @Test func aBatchSizeDoesNotChangeTheResults() async throws {
    let results = try results(ChainedSource([Self.people()]), ["name"])
    results.request.batchSize = 1
    try await results.fetchData()
    #expect(results.numberOfObjects == 4)
  }
}
