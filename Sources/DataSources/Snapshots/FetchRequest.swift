public import DataTables

/// The predicate, sort, section key and limit of fetched results.
public struct FetchRequest: Sendable, CustomStringConvertible {
  /// nil keeps all objects.
  public var predicate: Predicate?
  /// At least one descriptor, the most significant first.
  public private(set) var sort: [SortDescriptor]
  /// The key of the sections; nil for one section.
  public var section: ObjectKeyPath?
  /// The keys by which objects are compared: only the first of equal ones is kept. Objects are
  /// compared as a whole if the array is empty; nil keeps equal objects.
  public var distinct: [ObjectKeyPath]?
  /// The number of objects left out at the start of the sorted order.
  public var offset = 0
  /// The maximum number of objects after ``offset``; nil for all.
  public var limit: Int?
  /// Number of objects to read at a time from content that is not in memory; nil for the default.
  public var batchSize: Int?
  /// How the index titles of the sections are derived.
  public var indexTitles = IndexTitles.firstCharacter
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

  /// The request to the content below. `strict` sections fail unless the sort keeps the rows of each
  /// section together.
  var content: ContentRequest {
    ContentRequest(
      where: predicate, distinct: distinct, sort: sort, offset: offset, limit: limit,
      sections: .by(section, .strict))
  }

  /// Whether both requests have the same results for the same rows.
  fileprivate func hasSameResults(as other: FetchRequest) -> Bool {
    predicate == other.predicate && sort == other.sort
      && section == other.section && limit == other.limit && offset == other.offset
      && distinct == other.distinct
  }

  /// `where age >= 18, sorted by name, sectioned by city, at most 10`
  public var description: String {
    var parts = predicate.map { ["where \($0)"] } ?? []
    parts.append("sorted by " + sort.map(\.description).joined(separator: ", "))
    if let section { parts.append("sectioned by \(section)") }
    if let distinct {
      let keys = distinct.map(\.description).joined(separator: ", ")
      parts.append(keys.isEmpty ? "distinct" : "distinct by \(keys)")
    }
    if offset > 0 { parts.append("after \(offset)") }
    if let limit { parts.append("at most \(limit)") }
    return parts.joined(separator: ", ")
  }
}

/// Fetched results in a cache, with the request and the content that determine them.
struct CachedResults: Sendable {
  let request: FetchRequest
  let store: any SnapshotStore
  let snapshot: Snapshot

  /// Whether `request` has these results for the objects of `store`.
  /// - Complexity: O(rows) at most; O(1) for rows in their natural order.
  func isResult(of request: FetchRequest, from other: any SnapshotStore) -> Bool {
    guard self.request.hasSameResults(as: request) else { return false }
    guard let store = store.local, let other = other.local else { return store.isSame(as: other) }
    return store.table === other.table && store.order.isIdentical(to: other.order)
  }
}
