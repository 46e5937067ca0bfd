// date: sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ .
// self.x %@"
import DataSources
import DataTables
import Testing

/// The sources of `date`, each over those that it wraps.
@MainActor final class DateSources {
  let dates: SimpleSource
  let date: SectionedSource

  init() async throws {
    dates = SimpleSource(
      [
        [
          "class": "say \"hi\"",
          "a\\b": "\\(x) \\",
          "line\nbreak": "1\n2",
          "😀": "😀",
          "self": 1,
          "where": true,
          "unit price": Value(literal: "2.5"),
          "title": "self.t",
          "description": "d",
          "": "e",
          "context": "c",
          "dateRow": "f",
          "date": Value(literal: "2020-01-02"),
        ],
        [
          "class": "b",
          "a\\b": "??/",
          "line\nbreak": "",
          "😀": "\"\"\"",
          "self": 2,
          "where": false,
          "unit price": 3,
          "title": "#",
          "description": "%@",
          "": "*/",
          "context": "//",
          "dateRow": "@",
          "date": Value(literal: "2020-01-03"),
        ],
      ]
    )
    date = SectionedSource(
      dates,
      key: try ObjectKeyPath(parsing: "class"),
      sort: [SortDescriptor(try ObjectKeyPath(parsing: "class"))],
      where: .and(
        [
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "class")),
              ComparisonOperator(.notEqual),
              .value("\"q\" \\(x) \\")
            )
          ),
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "title")),
              ComparisonOperator(.notEqual),
              .value("??/ \\ self.x %@")
            )
          ),
        ]
      )
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await date.fetchData()
  }
}

// The expectations of the session about date.
@MainActor struct DateSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await DateSources()
    try await sources.fetch()
    #expect(
      try await value("class", at: IndexPath(section: 1, row: 0), of: sources.date)
        == "say \"hi\"")
    #expect(
      try await value("title", at: IndexPath(section: 1, row: 0), of: sources.date)
        == "self.t")
    #expect(try await sources.date.sectionTitles() == ["b", "say \"hi\""])
    do {
      let predicate = Predicate.or(
        [
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "class")),
              ComparisonOperator(.contains),
              .value("\\")
            )
          ),
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "class")),
              ComparisonOperator(.notEqual),
              .value("\n")
            )
          ),
          .comparison(
            try Predicate.Comparison(
              .key(ObjectKeyPath(parsing: "title")),
              ComparisonOperator(.notEqual),
              .value("*/")
            )
          ),
        ]
      )
      for object in try await sources.date.allObjects() {
        #expect(try predicate.holds(on: object))
      }
    }
  }

  private func value(
    _ key: String, at path: IndexPath, of source: any DataSource
  ) async throws -> Value {
    try ObjectKeyPath(parsing: key).evaluate(on: await source.object(at: path))
  }
}
