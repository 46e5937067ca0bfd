// homes: sectioned by address.city, sorted by address.city, where address.city != "x\"y"
import DataSources
import DataTables
import Testing

/// The sources of `homes`, each over those that it wraps.
@MainActor final class HomesSources {
  let people: SimpleSource
  let homes: SectionedSource

  init() async throws {
    people = SimpleSource(
      [
        [
          "name": "Ann",
          "address": ["class": "x", "zip code": 1, "city": "Rome"],
          "pets": [["name": "Rex", "type": "dog"]],
          "dates": [["date": Value(literal: "2020-01-01")]],
          "big": Value(literal: "12345678901234567890"),
          "ratio": Value(literal: "0.1"),
          "at": Value(literal: "2020-01-01T10:00:00Z"),
        ],
        [
          "name": "Bo",
          "address": nil,
          "pets": [],
          "dates": [],
          "big": 1,
          "ratio": Value(literal: "1e20"),
          "at": Value(literal: "2020-01-01T10:00:00+02:00"),
        ],
      ]
    )
    homes = SectionedSource(
      people,
      key: try ObjectKeyPath(parsing: "address.city"),
      sort: [SortDescriptor(try ObjectKeyPath(parsing: "address.city"))],
      where: .comparison(
        try Predicate.Comparison(
          .key(ObjectKeyPath(parsing: "address.city")),
          ComparisonOperator(.notEqual),
          .value("x\"y")
        )
      )
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await homes.fetchData()
  }
}

// The expectations of the session about homes.
@MainActor struct HomesSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await HomesSources()
    try await sources.fetch()
    #expect(try await sources.homes.sectionTitles() == [nil, "Rome"])
    #expect(
      try await value("ratio", at: IndexPath(section: 1, row: 0), of: sources.homes)
        == Value(literal: "0.1"))
    #expect(try await value("big", at: IndexPath(section: 0, row: 0), of: sources.homes) == 1)
  }

  private func value(
    _ key: String, at path: IndexPath, of source: any DataSource
  ) async throws -> Value {
    try ObjectKeyPath(parsing: key).evaluate(on: await source.object(at: path))
  }
}
