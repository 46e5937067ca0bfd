public import DataTables

/// The pages of a remote collection, one after another in one section.
///
/// - Shape: one section, titled with the name of the source, or ""; none before the first fetch.
///
/// A fetch starts again with the first page; ``PagedSource/fetchNextPage(cancellation:progress:listener:)``
/// appends one page. Both cause the events will, partial (when the request is sent), and finished
/// or failed. A failed page is requested again, and the pages before it are kept.
///
/// With numbers or offsets, the last page is the one that reaches the number of pages or the total
/// number of objects, or, if that is unknown, a page without objects. With cursors or links, it is a
/// response without one: a page without objects that leads on is not the last, and the fetch of one
/// page goes on to the next page with objects.
public final class PaginatedSource: RequestingSource, PagedSource {
  public static let kind = "paginated"
  public static let fetchesSynchronously = false
  public let state: SourceState
  public var request: TransportRequest
  /// How the next fetch requests its pages. A change does not affect further pages of the current
  /// sequence: they are requested like its first page.
  public var paging: Paging
  public var options: ReadOptions
  public var placeholders: Set<Placeholder>
  /// Whether the page after a fetched page is requested before it is needed.
  public var prefetches: Bool
  /// The maximum number of pages of a fetch of all pages.
  public var pageLimit: Int
  private let transport: any Transport
  private let formats: FormatTable
  private var log: ExchangeLog?
  private(set) var sequence: PageSequence?
  private var prefetched: PrefetchedPage?

  /// The default of ``pageLimit``.
  public static let defaultPageLimit = 1_000

  /// - Parameter options: see ``RemoteSource/init(_:through:options:formats:placeholders:name:)``.
  public init(
    _ request: TransportRequest, through transport: any Transport, paging: Paging = Paging(),
    options: ReadOptions = ReadOptions(), formats: FormatTable,
    placeholders: Set<Placeholder> = [], prefetches: Bool = false,
    pageLimit: Int = PaginatedSource.defaultPageLimit, name: String = ""
  ) {
    self.request = request
    self.transport = transport
    self.formats = formats
    self.paging = paging
    self.options = options
    self.placeholders = placeholders
    self.prefetches = prefetches
    self.pageLimit = pageLimit
    state = SourceState(name: name)
  }

  public var children: [any DataSource] { [] }

  /// `paginated, GET https://example.test/posts, pages of 20 by page`
  public var summary: String {
    "paginated, \(request.shown)" + (options.keyPath.map { ", at \($0)" } ?? "")
      + ", \(paging.summary)"
  }

  public var table: any Table { state.snapshot?.store.local?.table ?? ValueTable([]) }
  public var exchanges: [LoggedExchange] { log?.exchanges ?? [] }
  public var numberOfBytes: Int? { sequence?.pages.reduce(0) { $0 + $1.bytes } }
  public var report: LoadReport? { sequence.flatMap { LoadReport($0.pages, notes: $0.notes) } }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    fetch.partial()
    var reading = ReadRequest(options: options)
    reading.isPart = true
    reading.extraValues = paging.extraValues
    let pages = fetch.options.pages
    let isNext = pages == .next && sequence != nil
    let log = (isNext ? log : nil) ?? ExchangeLog(clock: fetch.progress.clock)
    self.log = log
    let pageFetch = PageFetch(
      reader: RemoteReader(transport: transport, reading: reading, formats: formats, log: log),
      earlier: isNext ? [] : sequence?.pages ?? [],
      // A new sequence cannot use a prefetched page of the old one.
      prefetched: isNext ? prefetched : nil, limit: pages == .all ? pageLimit : nil)
    let start = isNext ? sequence : nil
    let first = start ?? PageSequence(request, paging)
    let sequence = try await fetch.reportingBytes(ReceivedBytes(fetch.progress.clock)) {
      [cancellation = fetch.cancellation, progress = fetch.progress] received in
      try await pageFetch.counting(received).fetchPages(
        of: first, cancellation: cancellation, progress: progress)
    }
    try fetch.cancellation.check()
    self.sequence = sequence
    let next = try? sequence.nextRequest()
    prefetched = prefetches ? next.map { PrefetchedPage($0, pageFetch.reader) } : nil
    return state.snapshot(
      of: LocalStore(table: sequence.table(replacing: table), title: .string(name)))
  }

  /// Whether there is a next page to fetch; true before the first fetch.
  public var hasMorePages: Bool { sequence.map { $0.next != nil } ?? true }

  /// The number of the last fetched page, as the server counts, or counted from
  /// ``Paging/firstPage``; nil before the first page.
  public var currentPage: Int? { sequence?.currentPage }

  /// The number of the last fetched page, counted from 1; nil before the first page. It differs from
  /// ``currentPage`` if the server counts from 0.
  public var pagePosition: Int? { sequence?.position }

  /// The number of objects of a page, from the last response that contains it, or else as
  /// requested; nil if neither a response nor the request contains it.
  public var pageSize: Int? { sequence?.pageSize ?? paging.pageSize }

  /// The number of pages; nil if no response contains it.
  public var numberOfPages: Int? { sequence?.numberOfPages }

  /// The number of objects on all pages; nil if no response contains it.
  public var numberOfTotalObjects: Int? { sequence?.total }

  /// The number of fetched pages.
  public var numberOfFetchedPages: Int { sequence?.pages.count ?? 0 }

  /// The request of the page, and the number and line of the object on it.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    // The pages of an earlier content may be those of another sequence.
    guard !showsEarlierContent, let sequence, var row = try snapshot.store.local?.row(at: path)
    else { return [] }
    for (index, page) in sequence.pages.enumerated() {
      if row < page.table.count {
        return [try page.explanation(ofRow: row, as: "page \(index + 1)")]
      }
      row -= page.table.count
    }
    return []
  }
}

extension PageSequence {
  /// The objects of all pages; the table itself if there is one page, and `old` if it joins the same
  /// pages.
  func table(replacing old: any Table) -> any Table {
    if pages.count == 1, let page = pages.first { return page.table }
    if let old = old as? ConcatenatedTable,
      old.parts.elementsEqual(pages, by: { $0.table === $1.table })
    {
      return old
    }
    return ConcatenatedTable(
      pages.map { ConcatenatedTable.Part(table: $0.table, order: .natural($0.table.count)) })
  }
}

extension DataSource {
  /// The paginated sources among this source and its wrapped sources.
  public var paginatedSources: [PaginatedSource] {
    SourceGraph.sources(below: self).compactMap { $0 as? PaginatedSource }
  }

  /// The source whose fetch of the next page appends a page of a source below this one: the outermost
  /// wrapper between them through which pages are fetched, or else the paginated source itself.
  public func pagedSource(over paginated: PaginatedSource) -> any PagedSource {
    SourceGraph.sources(below: self).lazy.compactMap { $0 as? any PagedSource }
      .first { $0.wraps(paginated) } ?? paginated
  }

  /// The paginated source whose next page is needed when the object at a path is about to be shown;
  /// nil if the object is not the last one.
  public func paginatedSource(displaying path: IndexPath) -> PaginatedSource? {
    var source: any DataSource = self
    var path = path
    while let snapshot = source.state.snapshot {
      if let multi = source as? MultiSource, let origin = multi.childOrigin(of: path) {
        (source, path) = (multi.children[origin.child], origin.path)
        continue
      }
      guard path == snapshot.store.lastIndexPath else { return nil }
      if let paginated = source as? PaginatedSource { return paginated }
      guard source.children.count == 1, let child = source.children.first,
        let last = child.state.snapshot?.store.lastIndexPath
      else { return nil }
      (source, path) = (child, last)
    }
    return nil
  }

  /// The paginated sources with pages that have not been fetched, each with the index path of the
  /// object before these pages.
  package var missingPages: [(after: IndexPath, source: PaginatedSource)] {
    guard !paginatedSources.isEmpty, let store = state.snapshot?.store else { return [] }
    // Pages follow the last object of a source, and only a multi source shows it before others.
    let ends =
      self is MultiSource
      ? (0..<store.numberOfSections).map {
        IndexPath(section: $0, row: store.numberOfObjects(in: $0) - 1)
      }
      : [store.lastIndexPath].compactMap { $0 }
    return ends.compactMap { path in
      guard path.row >= 0, let source = paginatedSource(displaying: path), source.hasMorePages
      else { return nil }
      return (path, source)
    }
  }

  /// Fetches as ``fetchData(_:cancellation:progress:listener:)`` does, but this source and its
  /// wrapped sources fetch all pages if they are paginated. The call joins a running fetch that
  /// also fetches all pages; it waits for the end of any other running fetch, and then starts its
  /// own.
  /// - Throws: ``SourceError``, `limit` if a source has more pages than its
  ///   ``PaginatedSource/pageLimit``.
  public func fetchAllPages(
    cancellation: Cancellation? = nil, progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws {
    try await fetchData(
      FetchOptions(pages: .all), cancellation: cancellation, progress: progress, listener: listener)
  }
}

extension LoadReport {
  /// The sum of the reports of all pages; line numbers count within each page.
  init?(_ pages: [RemoteResponse], notes: [String]) {
    guard var report = pages.first?.loaded.report else { return nil }
    for page in pages.dropFirst().map(\.loaded.report) {
      report.rows += page.rows
      report.rejected += page.rejected
      report.misfits += page.misfits
      report.continued += page.continued
      report.rejects += page.rejects.prefix(Self.maxRejects - report.rejects.count)
      report.notes += page.notes.filter { !report.notes.contains($0) }
      report.padded = report.padded ?? page.padded
    }
    report.notes += notes
    self = report
  }
}
