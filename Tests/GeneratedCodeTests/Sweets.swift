// sweets: fetchedResults where price * 2 > 3 and abs(price) != 0, sorted by kind desc, name
// localized, sectioned by kind, at most 3
import DataSources
import DataTables
import Testing

/// The sources of `sweets`, each over those that it wraps.
@MainActor final class SweetsSources {
  let foods: SimpleSource
  let sweets: FetchedResultsSource

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
    let request = try FetchRequest(
      where: .and(
        [
          .comparison(
            try Predicate.Comparison(
              .call(
                try ValueFunction(named: "multiply:by:"),
                [.key(ObjectKeyPath(parsing: "price")), .value(2)]
              ),
              ComparisonOperator(.greater),
              .value(3)
            )
          ),
          .comparison(
            try Predicate.Comparison(
              .call(try ValueFunction(named: "abs:"), [.key(ObjectKeyPath(parsing: "price"))]),
              ComparisonOperator(.notEqual),
              .value(0)
            )
          ),
        ]
      ),
      sort: [
        SortDescriptor(try ObjectKeyPath(parsing: "kind"), direction: .descending),
        SortDescriptor(try ObjectKeyPath(parsing: "name"), comparison: .localized),
      ],
      section: try ObjectKeyPath(parsing: "kind"),
      limit: 3,
      batchSize: 10
    )
    sweets = FetchedResultsSource(foods, request: request)
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await sweets.fetchData()
  }
}

// The expectations of the session about sweets.
@MainActor struct SweetsSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await SweetsSources()
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
    #expect(try await sources.sweets.sectionTitles() == ["sweet"])
    do {
      let expected: Value = [
        "name": "Élan",
        "kind": "sweet",
        "price": 4,
        "sold": Value(literal: "2013-01-06"),
      ]
      #expect(try await sources.sweets.object(at: IndexPath(section: 0, row: 0)) == expected)
    }
  }
}
