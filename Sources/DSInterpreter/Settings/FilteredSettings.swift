import DataSources
import DataTables

/// The labels of `filtered`.
struct FilteredSettings: SourceSettings {
  private static let empty = Label(
    "empty", ModeArguments.emptySections, "hide (default) or show sections that become empty",
    example: "show")
  static let labels = [PredicateArgument.label, empty]

  private let predicate: PredicateArgument?
  private let empty: Argument?

  init(parsing arguments: Arguments) throws {
    predicate = PredicateArgument(parsing: arguments)
    empty = try arguments[Self.empty]
  }

  func set(
    _ source: FilteredSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let showsEmpty =
      try empty.map { try !$0.isNull && $0.choice(as: EmptySections.self) == .show }
      ?? source.showsEmpty
    source.predicate = try await predicate.changing(source.predicate, over: inner, in: &session)
    source.showsEmpty = showsEmpty
  }
}

/// The labels of `fetchedResults`.
struct FetchedResultsSettings: SourceSettings {
  private static let sort = Label(
    "sort", .sortDescriptors, "key [asc|desc] [comparison], …; at least one",
    example: "kind, name")
  private static let section = Label(
    "section", .keyPath(.everyRow), "key path of the sections; sort: must begin with it",
    example: "kind")
  private static let limit = Label(
    "limit", .positiveInteger, "maximum number of objects", example: "10")
  private static let offset = Label(
    "offset", .nonNegativeInteger, "number of objects to leave out at the start", example: "20")
  private static let distinct = Label(
    "distinct", .list(.keyPath(.everyRow)), "key paths whose values occur only once",
    example: "kind")
  private static let batch = Label(
    "batch", .positiveInteger, "number of objects that a database reads at a time",
    example: "50")
  private static let cache = Label(
    "cache", .string, "name under which sections are kept until they change", example: "Foods")
  static let labels = [
    sort, PredicateArgument.label, section, SortArguments.nulls, SortArguments.locale, distinct,
    offset, limit, IndexTitlesArgument.label, batch, cache,
  ]

  private let predicate: PredicateArgument?
  let sort: SortArguments
  private let section: Argument?
  private let limit: Argument?
  private let offset: Argument?
  private let distinct: [Argument]?
  private let indexTitles: IndexTitlesArgument?
  private let batch: Argument?
  private let cache: Argument?

  init(parsing arguments: Arguments) throws {
    predicate = PredicateArgument(parsing: arguments)
    sort = try SortArguments(parsing: arguments, Self.sort)
    section = try arguments[Self.section]
    limit = try arguments[Self.limit]
    offset = try arguments[Self.offset]
    distinct = arguments.list(Self.distinct)
    indexTitles = try IndexTitlesArgument(parsing: arguments)
    batch = try arguments[Self.batch]
    cache = try arguments[Self.cache]
  }

  func set(
    _ source: FetchedResultsSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    source.request = try await request(changing: source.request, over: inner, in: &session)
  }

  /// The request `old`, changed by the labels that are given; nil begins with the default settings.
  func request(
    changing old: FetchRequest? = nil, over source: any DataSource, in session: inout Session
  ) async throws -> FetchRequest {
    let descriptors = try await sort.descriptors(
      changing: old?.sort ?? [], over: source, in: &session)
    var request = try old ?? FetchRequest(sort: descriptors)
    try request.setSort(descriptors)
    try sort.checkUse(in: descriptors)
    request.predicate = try await predicate.changing(
      request.predicate, over: source, in: &session)
    request.section = try await session.key(section, changing: request.section, of: source)
    if let limit { request.limit = try limit.isNull ? nil : limit.integer() }
    if let offset { request.offset = offset.isNull ? 0 : try offset.integer() }
    if let distinct {
      let isNull = distinct.count == 1 && distinct[0].isNull
      request.distinct = isNull ? nil : try await session.keys(distinct, of: source)
    }
    if let indexTitles {
      request.indexTitles =
        try await indexTitles.indexTitles(over: source, in: &session)
    }
    if let batch { request.batchSize = try batch.isNull ? nil : batch.integer() }
    if let cache { request.cacheName = cache.isNull ? nil : try await cache.string(in: &session) }
    return request
  }
}
