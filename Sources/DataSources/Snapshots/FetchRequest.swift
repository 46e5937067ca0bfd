public import DataTables

/// The predicate, sort, section key and limit of fetched results.
public struct FetchRequest: Sendable, CustomStringConvertible {
  /// nil keeps all objects.
  public var predicate: Predicate?
  /// At least one descriptor, the most significant first.
  public private(set) var sort: [SortDescriptor]
  /// The key of the sections; nil for one section.
  public var section: ObjectKeyPath?
  /// The maximum number of objects, which are the first ones in the sorted order; nil for all.
  public var limit: Int?
  /// Number of objects to read at a time from content that is not in memory; nil for the default.
  public var batchSize: Int?
  /// The name under which the results are cached; nil for no caching.
  public var cacheName: String?

  /// - Throws: ``SourceError``, `badArgument` without a sort descriptor.
  public init(
    where predicate: Predicate? = nil, sort: [SortDescriptor], section: ObjectKeyPath? = nil,
    limit: Int? = nil, batchSize: Int? = nil, cacheName: String? = nil
  ) throws(SourceError) {
    self.predicate = predicate
    self.sort = []
    self.section = section
    self.limit = limit
    self.batchSize = batchSize
    self.cacheName = cacheName
    try setSort(sort)
  }

  /// - Throws: ``SourceError``, `badArgument` without a descriptor.
  public mutating func setSort(_ descriptors: [SortDescriptor]) throws(SourceError) {
    guard !descriptors.isEmpty else {
      throw .data(.badArgument("fetchedResults needs at least one sort descriptor"))
    }
    sort = descriptors
  }

  /// All key paths that the request reads, each once.
  var keyPaths: [ObjectKeyPath] {
    var paths: [ObjectKeyPath] = []
    let all = (predicate?.keyPaths ?? []) + sort.map(\.keyPath) + (section.map { [$0] } ?? [])
    for path in all where !paths.contains(path) { paths.append(path) }
    return paths
  }

  /// Whether both requests have the same results for the same rows.
  fileprivate func hasSameResults(as other: FetchRequest) -> Bool {
    predicate?.description == other.predicate?.description && sort == other.sort
      && section == other.section && limit == other.limit
  }

  /// `where age >= 18, sorted by name, sectioned by city, at most 10`
  public var description: String {
    var parts = predicate.map { ["where \($0)"] } ?? []
    parts.append("sorted by " + sort.map(\.description).joined(separator: ", "))
    if let section { parts.append("sectioned by \(section)") }
    if let limit { parts.append("at most \(limit)") }
    return parts.joined(separator: ", ")
  }
}

/// Fetched results in a cache, with the request and the rows that determine them.
struct CachedResults: Sendable {
  let request: FetchRequest
  let table: any Table
  let order: RowOrder
  let snapshot: Snapshot

  /// Whether `request` has these results for the rows of `store`.
  /// - Complexity: O(rows) at most; O(1) for rows in their natural order.
  func isResult(of request: FetchRequest, from store: LocalStore) -> Bool {
    guard self.request.hasSameResults(as: request), table === store.table else { return false }
    switch (order, store.order) {
    case (.natural(let count), .natural(let other)): return count == other
    case (.rows(let rows), .rows(let others)): return rows == others
    default: return false
    }
  }
}
