package import DataSources
import DataTables

/// A way to wrap a source, as the verbs of the language do.
package struct Wrapping: Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the wrapper passes a request to the content below, instead of reading it.
  package let isRequest: Bool
  package let wrap: @Sendable (any DataSource) throws -> any DataSource

  init(
    _ description: String, isRequest: Bool = true,
    _ wrap: @escaping @Sendable (any DataSource) throws -> any DataSource
  ) {
    self.description = description
    self.isRequest = isRequest
    self.wrap = wrap
  }

  package static let all: [Wrapping] = sections + orders + selections + shapes

  /// Some wrappers to wrap another one, different ones for each.
  package func others() -> [Wrapping] {
    let number = Self.all.firstIndex { $0.description == description } ?? 0
    return Self.all.enumerated().filter { ($0.offset + number) % 4 == 0 }.map(\.element)
  }

  private static let sections = [
    Wrapping("runs") {
      SectionedSource($0, key: try path("city"), sort: [sort("city"), sort("age")])
    },
    Wrapping("unsorted runs") { SectionedSource($0, key: try path("active")) },
    Wrapping("groups") {
      SectionedSource($0, key: try path("city"), sort: [sort("price", .descending)], mode: .groups)
    },
    Wrapping("groups by count") {
      var settings = SectionSettings()
      settings.order = GroupOrder(.count, direction: .descending)
      return SectionedSource(
        $0, key: try path("name.firstCharacter"), mode: .groups, settings: settings)
    },
    Wrapping("fixed") {
      var settings = SectionSettings()
      settings.titles = ["Rome", "Paris", "Oslo"]
      return SectionedSource($0, key: try path("city"), mode: .fixed, settings: settings)
    },
    Wrapping("months") { SectionedSource($0, key: try path("born"), mode: .month) },
    Wrapping("years") {
      SectionedSource($0, key: try path("born"), sort: [sort("born", .descending)], mode: .year)
    },
    Wrapping("collated") {
      var settings = SectionSettings()
      settings.showsEmpty = false
      return CollatedSource($0, key: try path("name"), settings: settings)
    },
    Wrapping("organized alphabetically") {
      OrganizedSource(
        $0, .alphabetically, key: try path("name.firstCharacter"), sort: [sort("name")],
        initial: [sort("id", .descending)])
    },
    Wrapping("organized chronologically") {
      OrganizedSource($0, .chronologically, sort: [sort("born", .descending)])
    },
    Wrapping("strict, refused") {
      SectionedSource($0, key: try path("city"), sort: [sort("age")], mode: .strict)
    },
    Wrapping("by an unknown key") { SectionedSource($0, key: try path("town")) },
  ]

  private static let orders = [
    Wrapping("sorted") {
      SectionedSource($0, sort: [sort("name", comparison: .localizedStandard), sort("age")])
    },
    Wrapping("top") { TopSource($0, limit: 17, by: [sort("age", .descending)]) },
    Wrapping("fetched results") {
      FetchedResultsSource(
        $0,
        request: try FetchRequest(
          where: try atLeast(20), sort: [sort("city"), sort("name")], section: try path("city")))
    },
    Wrapping("fetched window") {
      var request = try FetchRequest(sort: [sort("price"), sort("id")], limit: 40)
      request.offset = 9
      return FetchedResultsSource($0, request: request)
    },
    Wrapping("fetched distinct") {
      var request = try FetchRequest(sort: [sort("city"), sort("age", .descending)])
      request.distinct = [try path("city"), try path("active")]
      request.section = try path("city")
      return FetchedResultsSource($0, request: request)
    },
  ]

  private static let selections = [
    Wrapping("filtered") { FilteredSource($0, where: try atLeast(30)) },
    Wrapping("filtered, showing empty") {
      FilteredSource($0, where: try atLeast(50), showsEmpty: true)
    },
    Wrapping("filtered to nothing") { FilteredSource($0, where: try atLeast(1_000)) },
    Wrapping("filtered by a pattern") {
      FilteredSource(
        $0,
        where: .comparison(
          try Predicate.Comparison(
            .key(try path("name")), ComparisonOperator(.matches), .value(".*[ae]n?.*"))))
    },
    Wrapping("limit") { LimitedSource($0, limit: 25, offset: 8) },
    Wrapping("limit of nothing") { LimitedSource($0, limit: 0) },
    Wrapping("distinct") { DistinctSource($0) },
    Wrapping("distinct by keys") {
      DistinctSource($0, by: [try path("city"), try path("active")])
    },
  ]

  private static let shapes = [
    Wrapping("columns", isRequest: false) {
      ColumnsSource(
        $0,
        [
          ProjectedTable.Column(key: "city", path: try path("city")),
          ProjectedTable.Column(key: "age", path: try path("age")),
          ProjectedTable.Column(key: "name", path: try path("name")),
          ProjectedTable.Column(key: "initial", path: try path("name.firstCharacter")),
          ProjectedTable.Column(key: "born", path: try path("born")),
          ProjectedTable.Column(key: "price", path: try path("price")),
          ProjectedTable.Column(key: "active", path: try path("active")),
          ProjectedTable.Column(key: "id", path: try path("id")),
        ])
    },
    Wrapping("multi", isRequest: false) { MultiSource([other, $0]) },
    Wrapping("multi, preserving sections", isRequest: false) {
      MultiSource([$0, other], preservesSections: true)
    },
  ]

  /// A source in memory with an object like those of ``SyntheticRows``, and one of its own keys.
  private static var other: any DataSource {
    StoreSource(
      LocalStore(
        table: ValueTable([
          SyntheticRows(1).object(at: 0),
          .record(Record([("id", -1), ("name", "Åse"), ("note", "new")])),
        ])), name: "other")
  }
}

private func path(_ text: String) throws -> ObjectKeyPath { try ObjectKeyPath(parsing: text) }

private func sort(
  _ key: String, _ direction: SortDescriptor.Direction = .ascending,
  comparison: SortDescriptor.Comparison = .compare
) -> SortDescriptor {
  SortDescriptor(ObjectKeyPath(key: key), direction: direction, comparison: comparison)
}

private func atLeast(_ age: Int) throws -> Predicate {
  .comparison(
    try Predicate.Comparison(
      .key(ObjectKeyPath(key: "age")), ComparisonOperator(.greaterOrEqual), .value(.integer(age))))
}
