public import DataTables

extension PaginatedSource {
  /// Whether a next page can be asked for; so before the first fetch.
  public var hasMorePages: Bool { sequence.map { $0.next != nil } ?? true }

  /// The number of the page that came last, as the server counts, or from ``Paging/firstPage`` on;
  /// nil before one came.
  public var currentPage: Int? { sequence?.currentPage }

  /// How many objects a page has, as it was asked for or answered; nil when neither tells.
  public var pageSize: Int? { sequence?.pageSize ?? paging.pageSize }

  /// nil when no answer tells.
  public var numberOfPages: Int? { sequence?.numberOfPages }

  /// The number of objects on all pages; nil when no answer tells.
  public var numberOfTotalObjects: Int? { sequence?.total }

  /// How many pages have come.
  public var numberOfFetchedPages: Int { sequence?.pages.count ?? 0 }

  /// Appends the next page, the first one when none has come. When there are no more pages nothing
  /// is asked and no event is told. A fetch that is under way is joined instead.
  ///
  /// - Returns: whether a page was asked for.
  /// - Throws: ``SourceError``; the same page is asked for the next time.
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
      demand: .nextPage, cancellation: cancellation, progress: progress, listener: listener)
    return true
  }

  /// The request of the page, and where on it the object stands.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    guard let sequence, var row = try snapshot.store.local?.row(at: path) else { return [] }
    for (place, page) in sequence.pages.enumerated() {
      if row < page.table.count {
        return [try page.explanation(ofRow: row, as: "page \(place + 1)")]
      }
      row -= page.table.count
    }
    return []
  }
}

extension DataSource {
  /// The paginated sources among this one and those below it.
  public var paginatedSources: [PaginatedSource] {
    SourceGraph.sources(below: self).compactMap { $0 as? PaginatedSource }
  }

  /// The paginated source whose next page is wanted when the object at a path is about to be shown:
  /// when it is the last one; nil when it is not.
  public func paginatedSource(displaying path: IndexPath) -> PaginatedSource? {
    var source: any DataSource = self
    var path = path
    while let snapshot = source.state.snapshot {
      if let multi = source as? MultiSource, let origin = multi.origin(of: path, in: snapshot) {
        (source, path) = (multi.children[origin.child], origin.path)
        continue
      }
      guard snapshot.numberOfObjects > 0,
        path == snapshot.store.indexPath(ofPosition: snapshot.numberOfObjects - 1)
      else { return nil }
      if let paginated = source as? PaginatedSource { return paginated }
      guard source.children.count == 1, let child = source.children.first,
        let below = child.state.snapshot, below.numberOfObjects > 0,
        let last = below.store.indexPath(ofPosition: below.numberOfObjects - 1)
      else { return nil }
      (source, path) = (child, last)
    }
    return nil
  }

  /// Fetches as ``fetchData(cancellation:progress:listener:)`` does; paginated sources, here and below, take
  /// all of their pages. A fetch that is under way is joined only when it takes all pages too; else
  /// its end is waited for.
  /// - Throws: ``SourceError``, `limit` when one has more pages than its ``PaginatedSource/pageLimit``.
  public func fetchAllPages(
    cancellation: Cancellation? = nil, progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws {
    try await fetchData(
      demand: .allPages, cancellation: cancellation, progress: progress, listener: listener)
  }
}

extension LoadReport {
  /// What was found on all pages; lines are those of each page.
  init?(_ pages: [RemoteAnswer], note: String?) {
    guard var report = pages.first?.loaded.report else { return nil }
    for page in pages.dropFirst().map(\.loaded.report) {
      report.rows += page.rows
      report.rejected += page.rejected
      report.rejects += page.rejects.prefix(Self.maxRejects - report.rejects.count)
      report.notes += page.notes.filter { !report.notes.contains($0) }
      report.padded = report.padded ?? page.padded
    }
    if let note { report.notes.append(note) }
    self = report
  }
}
