// letters: sectioned by name.firstCharacter, sorted by name
import DataSources
import DataTables
import Testing

/// The sources of `letters`, each over those that it wraps.
@MainActor final class LettersSources {
  let foods: SimpleSource
  let letters: SectionedSource

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
    letters = SectionedSource(
      foods,
      key: try ObjectKeyPath(parsing: "name.firstCharacter"),
      sort: [SortDescriptor(try ObjectKeyPath(parsing: "name"))]
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await letters.fetchData()
  }
}

// The expectations of the session about letters.
@MainActor struct LettersSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await LettersSources()
    try await sources.fetch()
    #expect(sources.letters.numberOfSections == 5)
    #expect(
      try await value("name", at: IndexPath(section: 0, row: 0), of: sources.letters)
        == "Apple")
    #expect(
      try await sources.letters.content.indexPath(matching: Record([("name", "Carrot")]))
        == IndexPath(section: 2, row: 0))
    #expect(try await sources.letters.sectionTitles() == ["A", "B", "C", "P", "É"])
    #expect(try sources.letters.numberOfObjects(inSection: 1) == 1)
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
    do {
      let predicate = Predicate.comparison(
        try Predicate.Comparison(
          .key(ObjectKeyPath(parsing: "kind")),
          ComparisonOperator(.beginsWith, options: [.caseInsensitive, .diacriticInsensitive]),
          .value("M")
        )
      )
      for object in try await sources.letters.allObjects() {
        #expect(try !predicate.holds(on: object))
      }
    }
    do {
      let key = try ObjectKeyPath(parsing: "name")
      let values = try await sources.letters.allObjects().map { key.evaluate(on: $0) }
      #expect(Set(values).count == values.count)
    }
    do {
      let sorted = SectionedSource(
        sources.letters,
        sort: [SortDescriptor(try ObjectKeyPath(parsing: "name"))]
      )
      try await sorted.fetchData()
      #expect(try await sorted.allObjects() == sources.letters.allObjects())
    }
    await #expect(throws: SourceError.self) {
      try await sources.letters.object(at: IndexPath(section: 9, row: 0))
    }
    // Not written: expect foods.numberOfObjects > 3 and letters.numberOfSections < 9 (it has
    // another form than code can check)
  }

  private func value(
    _ key: String, at path: IndexPath, of source: any DataSource
  ) async throws -> Value {
    try ObjectKeyPath(parsing: key).evaluate(on: await source.object(at: path))
  }
}
