public import DataTables

extension PaginatedSource {
  /// Whether there is a next page to fetch; true before the first fetch.
  public var hasMorePages: Bool { sequence.map { $0.next != nil } ?? true }

  /// The number of the last fetched page, as the server counts, or counted from
  /// ``Paging/firstPage``; nil before the first page.
  public var currentPage: Int? { sequence?.currentPage }

  /// The number of objects of a page, as requested or as in a response; nil if neither has it.
  public var pageSize: Int? { sequence?.pageSize ?? paging.pageSize }

  /// The number of pages; nil if no response has it.
  public var numberOfPages: Int? { sequence?.numberOfPages }

  /// The number of objects on all pages; nil if no response has it.
  public var numberOfTotalObjects: Int? { sequence?.total }

  /// The number of fetched pages.
  public var numberOfFetchedPages: Int { sequence?.pages.count ?? 0 }

  /// Appends the next page, or the first one. If there are no more pages, it sends no request and
  /// causes no event. It joins a running fetch instead of starting another.
  ///
  /// - Returns: whether a page was requested.
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
      demand: .nextPage, cancellation: cancellation, progress: progress, listener: listener)
    return true
  }

  /// The request of the page, and the place of the object on it.
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
  /// The paginated sources among this source and its wrapped sources.
  public var paginatedSources: [PaginatedSource] {
    SourceGraph.sources(below: self).compactMap { $0 as? PaginatedSource }
  }

  /// The paginated source whose next page is needed when the object at a path is about to be shown;
  /// nil if it is not the last object.
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

  /// Fetches as ``fetchData(cancellation:progress:listener:)`` does; paginated sources, this one
  /// and wrapped ones, fetch all of their pages. It joins a running fetch only if that fetches all
  /// pages too; otherwise it waits for its end.
  /// - Throws: ``SourceError``, `limit` if a source has more pages than its
  ///   ``PaginatedSource/pageLimit``.
  public func fetchAllPages(
    cancellation: Cancellation? = nil, progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws {
    try await fetchData(
      demand: .allPages, cancellation: cancellation, progress: progress, listener: listener)
  }
}

extension LoadReport {
  /// The sum of the reports of all pages; line numbers count within each page.
  init?(_ pages: [RemoteResponse], note: String?) {
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
