import DataTables
import Testing

@testable import DataSources

struct ExplanationTests {
  private let people = SimpleSource(
    [("Ann", 30), ("Bo", 7), ("Cy", 50)].map { name, age in
      ["name": .string(name), "age": .integer(age)]
    })

  private func isAdult() throws -> Predicate {
    .comparison(
      try Predicate.Comparison(
        .key(try path("age")), ComparisonOperator(.greaterOrEqual), .value(18)))
  }

  private func absence(of row: Int, from source: any DataSource) async throws -> String? {
    let path = IndexPath(section: 0, row: row)
    return try await source.absence(
      of: try await people.object(at: path), at: path, ofChild: 0)
  }

  @Test func thePredicateOfTheLastFetchHidesAnObject() async throws {
    let adults = FilteredSource(people, where: try isAdult())
    #expect(try await absence(of: 1, from: adults) == nil)
    try await adults.fetchData()
    adults.predicate = nil
    #expect(
      try await absence(of: 1, from: adults) == "where: age >= 18 is false for it; age is 7")
    #expect(try await absence(of: 0, from: adults) == nil)
    try await adults.fetchData()
    #expect(try await absence(of: 1, from: adults) == nil)
  }

  @Test func aLimitHidesObjectsOfTheFetchedContent() async throws {
    let oldest = FetchedResultsSource(
      people,
      request: try FetchRequest(
        where: try isAdult(), sort: [SortDescriptor(try path("age"), direction: .descending)],
        limit: 1))
    try await oldest.fetchData()
    #expect(try await absence(of: 0, from: oldest) == "limit: 1 leaves it out")
    #expect(
      try await absence(of: 1, from: oldest) == "where: age >= 18 is false for it; age is 7")
    try await people.edit(.insert(["name": "Dee", "age": 90]))
    #expect(try await absence(of: 3, from: oldest) == nil)
  }

  @Test func theAbsenceOfARemovedObjectIsExplained() async throws {
    let book = OrganizedSource(people, .alphabetically, key: try path("name"))
    try await book.fetchData()
    try await book.remove(at: IndexPath(section: 1, row: 0))
    #expect(
      try await absence(of: 1, from: book) == "it was removed here; a fetch restores it")
    #expect(try await absence(of: 0, from: book) == nil)
    #expect(try book.content.request?.key == path("name"))
  }

  @Test func aSimpleSourceExplainsWhyItsPredicateHidesAnObject() throws {
    let adults = try SimpleSource(
      [["name": "Ann", "age": 30], ["name": "Bo", "age": 7]], where: try isAdult())
    #expect(
      try adults.absence(ofLike: ["name": "Bo"]) == "where: age >= 18 is false for it; age is 7")
    #expect(try adults.absence(ofLike: ["name": "Ann"]) == nil)
    #expect(try adults.absence(ofLike: ["name": "Cy"]) == nil)
  }
}
