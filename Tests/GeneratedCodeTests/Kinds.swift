// kinds: sectioned by kind, groups, sorted by price desc (nulls last), name (nulls last), where
// price != null or kind IN ["fruit", "sweet"]
import DataSources
import DataTables
import Testing

/// The sources of `kinds`, each over those that it wraps.
@MainActor final class KindsSources {
  let foods: SimpleSource
  let kinds: SectionedSource

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
    settings.order = GroupOrder(.count, direction: .descending)
    kinds = SectionedSource(
      foods,
      key: try ObjectKeyPath(parsing: "kind"),
      sort: [
        SortDescriptor(try ObjectKeyPath(parsing: "price"), direction: .descending, nulls: .last),
        SortDescriptor(try ObjectKeyPath(parsing: "name"), nulls: .last),
      ],
      where: .or(
        [
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "price")),
              ComparisonOperator(.notEqual),
              .value(nil)
            )
          ),
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "kind")),
              ComparisonOperator(.in),
              .value(["fruit", "sweet"])
            )
          ),
        ]
      ),
      mode: .groups,
      settings: settings
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await kinds.fetchData()
  }
}

// The expectations of the session about kinds.
@MainActor struct KindsSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await KindsSources()
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
    #expect(try await sources.kinds.sectionTitles() == ["sweet", "fruit", "vegetable"])
    #expect(try await value("name", at: IndexPath(section: 0, row: 1), of: sources.kinds) == "Pie")
  }

  private func value(
    _ key: String, at path: IndexPath, of source: any DataSource
  ) async throws -> Value {
    try ObjectKeyPath(parsing: key).evaluate(on: await source.object(at: path))
  }
}
