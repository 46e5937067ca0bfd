import DataSources
import DataTables

/// The labels of `unroll`, and `key:`, the path of the arrays, which only `set` accepts.
struct UnrollSettings: SourceSettings {
  private static let key = Label(
    "key", .keyPath(.everyRow), "key path of the arrays", example: "orders")
  private static let empty = Label(
    "empty", ModeArguments.emptySections, "hide (default) or show objects without elements",
    example: "show")
  static let verbLabels = [empty]
  static let labels = [key] + verbLabels

  private let key: Argument?
  private let empty: Argument?

  init(parsing arguments: Arguments) throws {
    try self.init(parsing: arguments, key: try arguments[Self.key])
  }

  init(parsing arguments: Arguments, key: Argument?) throws {
    self.key = key
    empty = try arguments[Self.empty]
  }

  func set(
    _ source: UnrolledSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    if let key, key.isNull {
      throw key.error(.badArgument, "`unroll` needs the key path of an array such as `key: orders`")
    }
    let newPath = try await session.key(key, changing: source.path, of: inner) ?? source.path
    let keepsEmpty =
      try empty.map { try !$0.isNull && $0.choice(as: EmptySections.self) == .show }
      ?? source.keepsEmpty
    (source.path, source.keepsEmpty) = (newPath, keepsEmpty)
  }
}

/// The labels of `distinct`.
struct DistinctSettings: SourceSettings {
  private static let keys = Label(
    "by", .list(.keyPath(.everyRow)), "key paths to compare; whole objects if omitted",
    example: "kind")
  static let labels = [keys]

  private let keys: [Argument]?

  init(parsing arguments: Arguments) throws { keys = arguments.list(Self.keys) }

  func set(
    _ source: DistinctSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    guard let keys else { return }
    if keys.count == 1, keys[0].isNull {
      source.keys = []
      return
    }
    source.keys = try await session.keys(keys, of: inner)
  }
}

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

/// The labels of `limit`, and `limit:`, which only `set` accepts.
struct LimitSettings: SourceSettings {
  private static let limit = Label(
    "limit", .positiveInteger, "maximum number of objects", example: "100")
  private static let offset = Label(
    "offset", .nonNegativeInteger, "number of objects to leave out before them", example: "20")
  static let verbLabels = [offset]
  static let labels = [limit] + verbLabels

  private let limit: Argument?
  private let offset: Argument?

  init(parsing arguments: Arguments) throws {
    try self.init(parsing: arguments, limit: try arguments[Self.limit])
  }

  init(parsing arguments: Arguments, limit: Argument?) throws {
    self.limit = limit
    offset = try arguments[Self.offset]
  }

  func set(
    _ source: LimitedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let newLimit = try limit.map { try $0.requiredInteger() } ?? source.limit
    let newOffset = try offset.map { try $0.isNull ? 0 : $0.integer() } ?? source.offset
    (source.limit, source.offset) = (newLimit, newOffset)
  }
}

extension Argument {
  /// An integer of a setting without a default.
  fileprivate func requiredInteger() throws -> Int {
    if isNull { throw mismatch() }
    return try integer()
  }
}
