import DataSources
import DataTables

/// The labels of `fetchedResults`.
struct FetchedResultsSettings: SourceSettings {
  static let labels = [
    Label(
      "sort", "key [asc|desc] [comparison], …; at least one", example: "kind, name",
      completion: .keys),
    PredicateArgument.label,
    Label(
      "section", "key path of the sections; the sort begins with it", example: "kind",
      completion: .keys),
    SortArguments.labels[1],
    SortArguments.locale,
    Label("limit", "the most objects there are", example: "10"),
    Label("batch", "how many objects are read at a time, where not at hand", example: "50"),
    Label("cache", "the name under which sections are kept", example: "Foods"),
  ]

  private let predicate: PredicateArgument?
  let sort: SortArguments
  private let section: Argument?
  private let limit: Argument?
  private let batch: Argument?
  private let cache: Argument?

  init(parsing arguments: Arguments) throws {
    predicate = PredicateArgument(parsing: arguments)
    sort = try SortArguments(parsing: arguments)
    section = try arguments.label("section")
    limit = try arguments.label("limit")
    batch = try arguments.label("batch")
    cache = try arguments.label("cache")
  }

  func set(
    _ source: FetchedResultsSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    source.request = try await request(changing: source.request, over: inner, in: &session)
  }

  /// What is asked for, where nothing is said as it was in `old`.
  func request(
    changing old: FetchRequest? = nil, over source: any DataSource, in session: inout Session
  ) async throws -> FetchRequest {
    let descriptors = try await sort.descriptors(
      changing: old?.sort ?? [], over: source, in: &session)
    var request = try FetchRequest(
      where: old?.predicate, sort: descriptors, section: old?.section, limit: old?.limit,
      batchSize: old?.batchSize, cacheName: old?.cacheName)
    try sort.checkUse(in: descriptors)
    request.predicate = try await predicate.changing(
      request.predicate, over: source, in: &session)
    request.section = try await session.key(section, changing: request.section, of: source)
    if let limit { request.limit = try Self.number(limit) }
    if let batch { request.batchSize = try Self.number(batch) }
    if let cache { request.cacheName = cache.isNull ? nil : try await cache.string(in: &session) }
    return request
  }

  private static func number(_ argument: Argument) throws -> Int? {
    if argument.isNull { return nil }
    let number = try argument.natural()
    guard number > 0 else { throw argument.error(.badArgument, "there is at least 1; null is all") }
    return number
  }
}
