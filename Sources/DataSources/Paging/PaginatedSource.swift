public import DataTables

/// The pages of a remote collection, one after another in one section.
///
/// - Shape: one section, titled with the name of the source, or ""; none before the first fetch.
///
/// A fetch starts again with the first page; ``fetchNextPage(cancellation:progress:listener:)``
/// appends one page. The events of both are will, a partial when the request is sent, and finished
/// or failed. A failed page is requested again, and the pages before it stay.
///
/// The pages end with an empty page, with the last page by number or total, or with a response
/// without a link or cursor.
public final class PaginatedSource: RequestingSource {
  public static let kind = "paginated"
  public static let fetchesSynchronously = false
  public let state: SourceState
  public var request: TransportRequest
  /// How the next fetch requests pages; further pages of a sequence are requested like its first
  /// one.
  public var paging: Paging
  public var options: ReadOptions
  public var placeholders: Set<Placeholder>
  /// Whether the page after a fetched page is requested before it is needed.
  public var prefetches: Bool
  /// The maximum number of pages of a fetch of all pages.
  public var pageLimit: Int
  private let transport: any Transport
  private(set) var sequence: PageSequence?
  private var ahead: PrefetchedPage?

  public static let defaultPageLimit = 1_000

  /// - Parameter options: as ``RemoteSource/init(_:through:options:placeholders:name:)`` takes
  ///   them.
  public init(
    _ request: TransportRequest, through transport: any Transport, paging: Paging = Paging(),
    options: ReadOptions = ReadOptions(), placeholders: Set<Placeholder> = [],
    prefetches: Bool = false, pageLimit: Int = PaginatedSource.defaultPageLimit, name: String = ""
  ) {
    self.request = request
    self.transport = transport
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
  public var numberOfBytes: Int? { sequence?.pages.reduce(0) { $0 + $1.bytes } }
  public var report: LoadReport? { sequence.flatMap { LoadReport($0.pages, note: $0.note) } }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    fetch.partial()
    var options = options
    options.extraValues = paging.extraValues
    let demand = fetch.round.demand
    let isNext = demand == .nextPage && sequence != nil
    let steps = PageFetch(
      reader: RemoteReader(transport: transport, options: options),
      known: isNext ? [] : sequence?.pages ?? [],
      // A new sequence cannot use a prefetched page of the old one.
      ahead: isNext ? ahead : nil, limit: demand == .allPages ? pageLimit : nil)
    let start = isNext ? sequence : nil
    let first = start ?? PageSequence(request, paging)
    let sequence = try await fetch.tellingBytes(ReceivedBytes(fetch.progress.clock)) {
      [cancellation = fetch.cancellation, progress = fetch.progress] received in
      try await steps.counting(received).following(
        first, cancellation: cancellation, progress: progress)
    }
    try fetch.cancellation.check()
    self.sequence = sequence
    let next = sequence.next
    ahead = prefetches ? next.map { PrefetchedPage($0, steps.reader) } : nil
    return Snapshot(LocalStore(table: sequence.table, title: .string(name)))
  }
}

extension PageSequence {
  /// The objects of all pages; the table itself if there is one page.
  var table: any Table {
    if pages.count == 1, let page = pages.first { return page.table }
    return ConcatenatedTable(
      pages.map { ConcatenatedTable.Part(table: $0.table, order: .natural($0.table.count)) })
  }
}
