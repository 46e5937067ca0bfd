public import DataTables

/// What fetched results ask for.
public struct FetchRequest: Sendable, CustomStringConvertible {
  /// What objects are kept by; nil keeps all.
  public var predicate: Predicate?
  /// At least one, the first counting most.
  public private(set) var sort: [SortDescriptor]
  /// What sections are cut by; nil for one section.
  public var section: ObjectKeyPath?
  /// The most objects there are, the first of the sorted ones; nil for all.
  public var limit: Int?
  /// How many objects are read at a time from content that is not in memory; nil for the usual.
  public var batchSize: Int?
  /// The name under which sections are kept; nil keeps none.
  public var cacheName: String?

  /// - Throws: ``SourceError``, `badArgument` when there is no sort descriptor.
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

  /// - Throws: ``SourceError``, `badArgument` when there is none.
  public mutating func setSort(_ descriptors: [SortDescriptor]) throws(SourceError) {
    guard !descriptors.isEmpty else {
      throw .data(.badArgument("fetchedResults needs at least one sort descriptor"))
    }
    sort = descriptors
  }

  /// All that are read, each once.
  var keyPaths: [ObjectKeyPath] {
    var paths: [ObjectKeyPath] = []
    let all = (predicate?.keyPaths ?? []) + sort.map(\.keyPath) + (section.map { [$0] } ?? [])
    for path in all where !paths.contains(path) { paths.append(path) }
    return paths
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
