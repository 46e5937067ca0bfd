import DataSources
import DataTables

/// The labels of `fetchedResults`, which `set` takes too.
struct FetchRequestArguments {
  let predicate: PredicateArgument?
  let sort: SortArgument?
  private let section: Argument?
  private let limit: Argument?
  private let batch: Argument?
  private let cache: Argument?

  init(parsing arguments: Arguments) throws {
    predicate = PredicateArgument(parsing: arguments)
    sort = try SortArgument(parsing: arguments)
    section = try arguments.label("section")
    limit = try arguments.label("limit")
    batch = try arguments.label("batch")
    cache = try arguments.label("cache")
  }

  /// What is asked for, where nothing is said as it was in `old`.
  func request(
    over source: any DataSource, changing old: FetchRequest? = nil, in session: inout Session
  ) async throws -> FetchRequest {
    var descriptors = old?.sort ?? []
    if let sort {
      let placed: (descriptors: [SortDescriptor], keys: [PlacedKeyPath]) =
        sort.clears ? ([], []) : try await sort.descriptors(in: &session)
      for key in placed.keys { try session.check(key, of: source) }
      descriptors = placed.descriptors
    }
    var request = try FetchRequest(
      where: old?.predicate, sort: descriptors, section: old?.section, limit: old?.limit,
      batchSize: old?.batchSize, cacheName: old?.cacheName)
    if let predicate {
      request.predicate = try await predicate.predicate(over: source, in: &session)
    }
    if let section { request.section = try await key(section, of: source, in: &session) }
    if let limit { request.limit = try Self.number(limit) }
    if let batch { request.batchSize = try Self.number(batch) }
    if let cache { request.cacheName = cache.isNull ? nil : try await cache.string(in: &session) }
    return request
  }

  private func key(
    _ argument: Argument, of source: any DataSource, in session: inout Session
  ) async throws -> ObjectKeyPath? {
    if argument.isNull { return nil }
    let key = try await argument.keyPath(in: &session)
    try session.check(key, of: source)
    return key.path
  }

  private static func number(_ argument: Argument) throws -> Int? {
    if argument.isNull { return nil }
    let number = try argument.natural()
    guard number > 0 else { throw argument.error(.badArgument, "there is at least 1; null is all") }
    return number
  }
}
