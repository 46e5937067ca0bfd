// last: limit 1, offset 1
import DataSources
import DataTables
import Testing

/// The sources of `last`, each over those that it wraps.
@MainActor final class LastSources {
  let orders: SimpleSource
  let items: UnrolledSource
  let prices: ColumnsSource
  let dear: TopSource
  let first: DistinctSource
  let last: LimitedSource

  init() async throws {
    orders = SimpleSource(
      [
        [
          "name": "Ann",
          "items": [["id": 1, "price": Value(literal: "2.50")], ["id": 2, "price": 3]],
        ],
        ["name": "Bo", "items": [["id": 3, "price": Value(literal: "12345678901234567890")]]],
      ]
    )
    items = UnrolledSource(orders, by: try ObjectKeyPath(parsing: "items"))
    prices = ColumnsSource(
      items,
      [
        ProjectedTable.Column(key: "who", path: try ObjectKeyPath(parsing: "name")),
        ProjectedTable.Column(key: "cost", path: try ObjectKeyPath(parsing: "price")),
      ]
    )
    dear = TopSource(
      prices,
      limit: 2,
      by: [SortDescriptor(try ObjectKeyPath(parsing: "cost"), direction: .descending)]
    )
    first = DistinctSource(dear, by: [try ObjectKeyPath(parsing: "who")])
    last = LimitedSource(first, limit: 1, offset: 1)
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await last.fetchData()
  }
}

// The expectations of the session about last.
@MainActor struct LastSourcesTests {
  @Test func theExpectationsHold() async throws {
    let sources = try await LastSources()
    try await sources.fetch()
    // Not written: expect last.allObjects == [{who: "Ann", cost: 3}] (it has another form than code
    // can check)
    #expect(try await value("cost", at: IndexPath(section: 0, row: 0), of: sources.last) == 3)
  }

  private func value(
    _ key: String, at path: IndexPath, of source: any DataSource
  ) async throws -> Value {
    try ObjectKeyPath(parsing: key).evaluate(on: await source.object(at: path))
  }
}
