public import DataTables

/// A source that wraps one other, replaceable source.
public protocol WrappingSource: DataSource {
  var source: any DataSource { get }
  /// Wraps another source from the next fetch on; until then the content does not change.
  /// - Throws: ``SourceError/data(_:)`` with `badArgument` when `other` is this source or wraps it,
  ///   directly or indirectly: a cycle could never be fetched. After an error, this source wraps
  ///   the same source as before.
  func wrap(_ other: any DataSource) throws(SourceError)
  /// The current settings. They take effect at the next fetch of this source: until then, it follows
  /// edits and fetches of the source below with the settings of its last fetch.
  var plan: FetchPlan { get }
}

/// How a wrapper makes its content from that of the source below.
public struct FetchPlan {
  let source: any DataSource
  let settings: [AnyHashable]?
  let snapshot: (_ inner: Snapshot, _ fetch: Fetch) async throws -> Snapshot

  /// - Parameters:
  ///   - settings: what determines the content, besides the content of the source below: while both
  ///     stay the same, a fetch keeps the content. nil if the content has to be made in every fetch.
  ///   - snapshot: must not keep the wrapper, which keeps the plan.
  public init(
    _ source: any DataSource, settings: [AnyHashable]?,
    snapshot: @escaping (_ inner: Snapshot, _ fetch: Fetch) async throws -> Snapshot
  ) {
    self.source = source
    self.settings = settings
    self.snapshot = snapshot
  }
}

extension WrappingSource {
  public var children: [any DataSource] { [source] }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    try await plannedSnapshot(fetch)
  }

  /// The content by the current settings or, for an update, by those of the last fetch.
  func plannedSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let plan = fetch.isUpdate ? state.plan ?? plan : plan
    let inner = try await fetch.snapshot(of: plan.source)
    let snapshot: Snapshot
    if let settings = plan.settings, let kept = state.content(madeFrom: [inner], by: settings) {
      snapshot = kept
    } else {
      snapshot = try await plan.snapshot(inner, fetch)
    }
    try fetch.cancellation.check()
    if !fetch.isPreview {
      state.whenStored { [state] in
        state.plan = plan
        state.keepContent(madeFrom: [inner], by: plan.settings)
      }
    }
    return snapshot
  }

  /// Stops following ``source``, so that `other` can replace it.
  /// - Throws: the error of ``wrap(_:)``; after an error, ``source`` is still followed.
  func leaveSource(for other: any DataSource) throws(SourceError) {
    guard !other.wraps(self) else {
      throw .data(.badArgument("a source cannot wrap itself or a source that wraps it"))
    }
    source.state.remove(wrapper: self)
  }
}

/// A source of pages, or a wrapper through which the pages of sources below it are fetched.
public protocol PagedSource: DataSource {}

extension DataSource {
  /// Whether a source at or below this one has a next page to fetch; true before its first fetch.
  public var hasMorePages: Bool { paginatedSources.contains { $0.hasMorePages } }
}

extension PagedSource {
  /// Appends the next page, or the first one, of each paginated source at or below this one. After the
  /// last page, the call sends no request and causes no event. During a fetch, the call joins that fetch
  /// instead of starting another.
  ///
  /// - Returns: false after the last page; true if a page was fetched or a running fetch was
  ///   joined.
  /// - Throws: ``SourceError``; the next call requests the same page.
  @discardableResult
  public func fetchNextPage(
    cancellation: Cancellation? = nil, progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws -> Bool {
    guard isFetching || hasMorePages else { return false }
    guard !isFetching else {
      try await fetchData(cancellation: cancellation)
      return true
    }
    try await fetchData(
      FetchOptions(pages: .next), cancellation: cancellation, progress: progress, listener: listener
    )
    return true
  }
}

/// A source that keeps only the objects that satisfy a predicate.
public protocol PredicatedSource: DataSource {
  /// The predicate of the next fetch; nil keeps all objects.
  var predicate: Predicate? { get set }
}

/// A source that keeps the positions of its objects in its input.
public protocol ReferencingSource: DataSource {
  /// One array per section: its title, then the positions of its objects in the input, from 0.
  /// - Throws: ``SourceError/notFetched``.
  func references(cancellation: Cancellation) async throws -> [[Value]]
}

/// A source whose objects were read from the bytes of a file or a response.
public protocol ReadSource: DataSource {
  /// The load report; nil before the first read.
  var report: LoadReport? { get }
  /// The objects; empty before the first read.
  var table: any Table { get }
}
