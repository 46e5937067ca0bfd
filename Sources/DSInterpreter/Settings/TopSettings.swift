import DataSources
import DataTables

/// The labels of `top`, and `limit:`, which only `set` accepts.
struct TopSettings: SourceSettings {
  private static let limit = Label(
    "limit", .positiveInteger, "maximum number of objects", example: "10")
  private static let sort = Label(
    "by", .sortDescriptors, "key [asc|desc] [comparison], …", example: "price desc")
  static let verbLabels = [sort, SortArguments.nulls, SortArguments.locale]
  static let labels = [limit] + verbLabels

  private let limit: Argument?
  let sort: SortArguments

  init(parsing arguments: Arguments) throws {
    try self.init(parsing: arguments, limit: try arguments[Self.limit])
  }

  init(parsing arguments: Arguments, limit: Argument?) throws {
    self.limit = limit
    sort = try SortArguments(parsing: arguments, Self.sort)
  }

  func set(
    _ source: TopSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let newLimit = try limit.map { try $0.requiredInteger() } ?? source.limit
    let newSort = try await sort.descriptors(changing: source.sort, over: inner, in: &session)
    try sort.checkUse(in: newSort)
    guard !newSort.isEmpty else {
      throw SourceError.data(.badArgument("`top` needs `by:`, for example `by: price desc`"))
    }
    (source.limit, source.sort) = (newLimit, newSort)
  }
}
