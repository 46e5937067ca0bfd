// sortedGoods: fetchedResults where price > 0, sorted by name, sectioned by name
import DataSources
import DataTables
import Databases
import SQLiteDatabase

/// The sources of `sortedGoods`, each over those that it wraps.
@MainActor final class SortedGoodsSources {
  let goods: TableSource
  let sortedGoods: FetchedResultsSource

  init() async throws {
    let database = try await Database.open(
      DatabaseAddress(file: "shop.sqlite"), ConnectionOptions(), with: .sqlite,
      cancellation: Cancellation())
    goods = try await TableSource.open(TableName("goods"), of: database)
    let request = try FetchRequest(
      where: .comparison(
        try Predicate.Comparison(
          .key(ObjectKeyPath(parsing: "price")),
          ComparisonOperator(.greater),
          .value(0)
        )
      ),
      sort: [SortDescriptor(try ObjectKeyPath(parsing: "name"))],
      section: try ObjectKeyPath(parsing: "name")
    )
    sortedGoods = FetchedResultsSource(goods, request: request)
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await sortedGoods.fetchData()
  }
}
