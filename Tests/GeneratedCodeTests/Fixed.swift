// fixed: sectioned by kind, fixed
import DataSources
import DataTables
import Testing

/// The sources of `fixed`, each over those that it wraps.
@MainActor final class FixedSources {
  let foods: SimpleSource
  let fixed: SectionedSource

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
    var settings = SectionSettings()
    settings.titles = ["fruit", "sweet"]
    settings.other = "rest"
    fixed = SectionedSource(
      foods,
      key: try ObjectKeyPath(parsing: "kind"),
      mode: .fixed,
      settings: settings,
      indexTitles: .initials
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await fixed.fetchData()
  }
}

// The expectations of the session about fixed.
@MainActor struct FixedSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await FixedSources()
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
    #expect(try await sources.fixed.sectionTitles() == ["fruit", "sweet", "rest"])
    #expect(try await sources.fixed.sectionIndexTitles() == ["F", "S", "R"])
  }
}
