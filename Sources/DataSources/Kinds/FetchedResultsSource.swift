public import DataTables

/// The objects of another source, as a fetched results controller shows them: filtered, sorted,
/// limited and split into sections. The sort must keep the rows of a section together.
///
/// Changes in the source below are shown at the next fetch, or immediately while this source is
/// watched (``SourceState/isWatched``).
///
/// With a ``FetchRequest/cacheName``, the results are kept until the request or the content below
/// changes: with the source below, and for content that an engine computed also in
/// ``FetchOptions/caches``.
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

  public var plan: FetchPlan {
    // The cache determines whether results with a name are made anew.
    let settings: [AnyHashable]? =
      request.cacheName == nil ? [request.content, request.indexTitles] : nil
    return FetchPlan(source, settings: settings) { [source, request] inner, fetch in
      try await Self.results(of: request, in: inner, of: source, fetch)
    }
  }

  private static func results(
    of request: FetchRequest, in inner: Snapshot, of source: any DataSource, _ fetch: Fetch
  ) async throws -> Snapshot {
    if let cached = request.cacheName.flatMap({ source.state.cachedResults[$0] }),
      cached.isResult(of: request, from: inner.store)
    {
      var snapshot = cached.snapshot.forReuse(after: fetch.previous)
      snapshot.isFromCache = true
      return snapshot
    }
    var context = fetch.context
    context.batchSize = request.batchSize
    if let name = request.cacheName, let caches = fetch.options.caches {
      context.cache = FetchCache(name, in: caches)
    }
    var snapshot = try await inner.answering(
      request.content, indexTitles: request.indexTitles, context)
    // A part that the shell computed is not in the cache.
    if let cache = context.cache, snapshot.shortfall == nil {
      snapshot.isFromCache = cache.finish()
    }
    if let name = request.cacheName, !fetch.isPreview {
      source.state.cachedResults[name] = CachedResults(
        request: request, store: inner.store, snapshot: snapshot)
    }
    return snapshot
  }
}
