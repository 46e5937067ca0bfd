// organized: organized alphabetically by kind, sorted by kind, name
import DataSources
import DataTables
import Testing

/// The sources of `organized`, each over those that it wraps.
@MainActor final class OrganizedSources {
  let foods: SimpleSource
  let organized: OrganizedSource

  init() async throws {
    foods = SimpleSource(
      [
        [
          "name": "Pie",
          "kind": "sweet",
          "price": Value(literal: "2.5"),
          "sold": Value(literal: "2012-11-02"),
        ],
        ["name": "Carrot", "kind": "vegetable", "price": 1, "sold": Value(literal: "2012-12-01")],
        ["name": "Apple", "kind": "fruit", "sold": Value(literal: "2012-11-20")],
        [
          "name": "Banana",
          "kind": "fruit",
          "price": Value(literal: "1.25"),
          "sold": Value(literal: "2013-01-05"),
        ],
        ["name": "Élan", "kind": "sweet", "price": 4, "sold": Value(literal: "2013-01-06")],
      ]
    )
    organized = OrganizedSource(
      foods,
      .alphabetically,
      sort: [SortDescriptor(try ObjectKeyPath(parsing: "kind"))],
      initial: [SortDescriptor(try ObjectKeyPath(parsing: "name"))]
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await organized.fetchData()
  }
}

// The expectations of the session about organized.
@MainActor struct OrganizedSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await OrganizedSources()
    try await sources.fetch()
    do {
      let predicate = Predicate.or(
        [
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "price")),
              ComparisonOperator(.equal),
              .value(nil)
            )
          ),
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "price")),
              ComparisonOperator(.greaterOrEqual),
              .value(1)
            )
          ),
        ]
      )
      for object in try await sources.foods.allObjects() {
        #expect(try predicate.holds(on: object))
      }
    }
    // Not written: expect foods.numberOfObjects > 3 and letters.numberOfSections < 9 (it has
    // another form than code can check)
    #expect(try await sources.organized.sectionTitles() == ["fruit", "sweet", "vegetable"])
  }
}
