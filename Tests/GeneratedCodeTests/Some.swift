// some: filtered by name MATCHES ".*a.*" or (not kind == "sweet")
import DataSources
import DataTables
import Testing

/// The sources of `some`, each over those that it wraps.
@MainActor final class SomeSources {
  let foods: SimpleSource
  let drinks: SimpleSource
  let menu: MultiSource
  let someValue: FilteredSource

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
    drinks = try SimpleSource(
      [["name": "Tea", "kind": "hot"], ["name": "Cola", "kind": "cold"]],
      where: .comparison(
        try Predicate.Comparison(
          .key(ObjectKeyPath(parsing: "name")),
          ComparisonOperator(.notEqual),
          .value(nil)
        )
      ),
      name: "Drinks"
    )
    menu = MultiSource([foods, drinks])
    someValue = FilteredSource(
      menu,
      where: .or(
        [
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "name")),
              ComparisonOperator(.matches),
              .value(".*a.*")
            )
          ),
          .not(
            .comparison(
              try Predicate.Comparison(
                .key(ObjectKeyPath(parsing: "kind")),
                ComparisonOperator(.equal),
                .value("sweet")
              )
            )
          ),
        ]
      )
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await someValue.fetchData()
  }
}

// The expectations of the session about some.
@MainActor struct SomeSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await SomeSources()
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
    #expect(sources.someValue.numberOfObjects == 6)
    #expect(
      try await value("name", at: IndexPath(section: 1, row: 0), of: sources.someValue)
        == "Tea")
  }

  private func value(
    _ key: String, at path: IndexPath, of source: any DataSource
  ) async throws -> Value {
    try ObjectKeyPath(parsing: key).evaluate(on: await source.object(at: path))
  }
}
