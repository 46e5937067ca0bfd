public import DataTables

/// Another source, sorted and cut into sections by a key.
///
/// On a fetch it takes all objects of the source it wraps, in their order, sorts them (stable) and
/// begins a section wherever the key differs from the row before. Without a key there is exactly
/// one section, titled "", even with no rows; with a key and no rows there are none. When the inner
/// fetch fails, this one fails too and keeps its sections.
public final class SectionedSource: PredicatedSource {
  public static let kind = "sectioned"
  public let state: SourceState
  public let source: any DataSource
  /// What the next fetch cuts by; nil for one section.
  public var key: ObjectKeyPath?
  /// What the next fetch sorts by, the first counting most.
  public var sort: [SortDescriptor]
  public var predicate: Predicate?

  public init(
    _ source: any DataSource, key: ObjectKeyPath? = nil, sort: [SortDescriptor] = [],
    where predicate: Predicate? = nil, name: String = ""
  ) {
    self.source = source
    self.key = key
    self.sort = sort
    self.predicate = predicate
    state = SourceState(name: name)
    listenToChildren()
  }

  public var children: [any DataSource] { [source] }

  /// `sectioned by name.firstCharacter, sorted by name`
  public var summary: String {
    var summary = key.map { "sectioned by \($0)" } ?? "sectioned"
    if !sort.isEmpty {
      summary += ", sorted by " + sort.map(\.description).joined(separator: ", ")
    }
    if let predicate { summary += ", where \(predicate)" }
    return summary
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let inner = try await fetch.snapshot(of: source)
      .filtered(by: predicate, cancellation: fetch.cancellation)
    return try await Self.cut(inner, key: key, sort: sort, cancellation: fetch.cancellation)
  }

  // Elsewhere, so that the isolation of the source is free while it sorts.
  @concurrent
  private static func cut(
    _ inner: Snapshot, key: ObjectKeyPath?, sort: [SortDescriptor], cancellation: Cancellation
  ) async throws -> Snapshot {
    let store = try await inner.localStore(cancellation: cancellation)
    // What the cut needs too, so that the columns of a file are decoded in one pass.
    try store.table.decode(
      sort.map(\.keyPath) + (key.map { [$0] } ?? []), cancellation: cancellation)
    let order = try store.table.sorted(store.order, by: sort, cancellation: cancellation)
    let sections =
      if let key {
        try store.table.runs(of: key, in: order, cancellation: cancellation)
      } else {
        SectionCut.whole(order.count)
      }
    return Snapshot(
      LocalStore(table: store.table, order: order, sections: sections),
      repeatedTitles: sections.repeated)
  }

  /// For each section its title, then the positions of its objects in the untouched input.
  /// - Throws: ``SourceError/notFetched``.
  public func references() throws -> [[Value]] {
    guard let store = try content.store.local else { return [] }
    return (0..<store.numberOfSections).map { section in
      [store.sections.titles[section]] + store.rows(in: section).map { .integer($0) }
    }
  }
}

extension Snapshot {
  /// The content as a table with an order: the store's own, or a copy of its objects.
  ///
  /// - Parameter batch: how many objects are read at a time, where they are not at hand.
  func localStore(cancellation: Cancellation, batch: Int? = nil) async throws -> LocalStore {
    if let local = store.local { return local }
    var objects: [Value] = []
    for try await batch in batches(of: batch ?? 1_024) {
      try cancellation.check()
      objects += batch.objects
    }
    var offsets = [0]
    for section in 0..<numberOfSections {
      offsets.append(offsets[section] + store.numberOfObjects(in: section))
    }
    return LocalStore(
      table: ValueTable(objects), order: .natural(objects.count),
      sections: SectionCut(offsets: offsets, titles: try await titles()))
  }
}
