// dear: fetchedResults where price > 3, sorted by name
import DataSources
import DataTables
import Databases
import SQLiteDatabase

/// The sources of `dear`, each over those that it wraps.
@MainActor final class DearSources {
  let goods: TableSource
  let dear: FetchedResultsSource

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
          .value(3)
        )
      ),
      sort: [SortDescriptor(try ObjectKeyPath(parsing: "name"))]
    )
    dear = FetchedResultsSource(goods, request: request)
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await dear.fetchData()
  }
}
