public import DataTables

/// The objects of another source, as a fetched results controller shows them: filtered, sorted,
/// limited and split into sections. The sort must keep the rows of a section together.
///
/// Changes in the source below are shown at the next fetch, or immediately while this source is
/// watched (``SourceState/isWatched``).
public final class FetchedResultsSource: WrappingSource, PredicatedSource {
  public static let kind = "fetchedResults"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// The request of the next fetch.
  public var request: FetchRequest

  public init(_ source: any DataSource, request: FetchRequest, name: String = "") {
    self.source = source
    self.request = request
    state = SourceState(name: name)
    listenToChildren()
  }

  public var predicate: Predicate? {
    get { request.predicate }
    set { request.predicate = newValue }
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  public var followsChildren: Bool { state.isWatched }

  /// `fetchedResults where age >= 18, sorted by name, sectioned by city, at most 10`
  public var summary: String { "fetchedResults \(request)" }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let inner = try await fetch.snapshot(of: source)
    let request = request
    let cached = request.cacheName.flatMap { source.state.cachedResults[$0] }
    let results = try await Self.results(
      request, inner, cached, cancellation: fetch.cancellation, progress: fetch.progress)
    if let name = request.cacheName { source.state.cachedResults[name] = results }
    return results.snapshot
  }

  // Concurrent, to leave the isolation of the source free during the sort.
  @concurrent
  private static func results(
    _ request: FetchRequest, _ inner: Snapshot, _ cached: CachedResults?,
    cancellation: Cancellation, progress: Progress
  ) async throws -> CachedResults {
    let store = try await inner.localStore(cancellation: cancellation, batch: request.batchSize)
    if let cached, cached.isResult(of: request, from: store) { return cached }
    let fetched = try fetch(request, from: store, cancellation: cancellation, progress: progress)
    let findings =
      request.section == nil ? [] : KeyFinding.all(in: fetched.sections, isByValue: true)
    let snapshot = Snapshot(
      fetched, findings: findings,
      arrangement: Arrangement(
        key: request.section, sort: request.sort, predicate: request.predicate,
        limit: request.limit))
    return CachedResults(
      request: request, table: store.table, order: store.order, snapshot: snapshot)
  }

  private static func fetch(
    _ request: FetchRequest, from store: LocalStore, cancellation: Cancellation,
    progress: Progress
  ) throws -> LocalStore {
    let table = store.table
    try table.decode(request.keyPaths, cancellation: cancellation)
    var order = store.order
    if let predicate = request.predicate {
      order = try table.filtered(
        order, in: .whole(order.count), by: predicate, cancellation: cancellation
      ).order
    }
    var rows = try table.sorted(
      order, by: request.sort, cancellation: cancellation, progress: progress)
    if let limit = request.limit {
      rows = SortedRows(rows.order.rows(at: 0..<max(0, min(limit, rows.order.count))))
    }
    order = rows.order
    var sections = Sections.whole(order.count)
    if let key = request.section {
      sections = try table.runs(of: key, in: rows, cancellation: cancellation)
      if let (section, title) = sections.firstWithRepeatedTitle {
        throw TableError.sortMismatch(row: sections.offsets[section], title: title)
      }
    }
    return LocalStore(table: table, order: order, sections: sections)
  }
}

extension Sections {
  /// The first section that has the same title as an earlier one.
  fileprivate var firstWithRepeatedTitle: (section: Int, title: Value)? {
    repeated.compactMap { repeated in
      repeated.sections.dropFirst().first.map { ($0, titles[$0]) }
    }
    .min { $0.0 < $1.0 }
  }
}
