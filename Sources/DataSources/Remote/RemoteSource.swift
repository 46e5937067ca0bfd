public import DataTables

/// The objects at a URL, in one section.
///
/// - Shape: one section, titled with the name of the source, or ""; none before the first fetch.
///
/// A fetch sends the request through the transport. It causes the events will, partial (when the
/// request is sent), and finished or failed. While a large body is received, further partials
/// report the number of bytes, at most once a second. Any status other than 2xx is a failure. If a
/// response has an `ETag` or `Last-Modified` header, the next request is conditional, and a 304
/// keeps the objects. A failed fetch keeps them too.
///
/// A body larger than 16 MiB is kept in a temporary file; only the parts that are read are in
/// memory.
public final class RemoteSource: RequestingSource {
  public static let kind = "remote"
  public static let fetchesSynchronously = false
  public let state: SourceState
  public var request: TransportRequest
  public var options: ReadOptions
  public var placeholders: Set<Placeholder>
  /// The pace of the partials of a slow response.
  var pace = ReceivedBytes.Pace()
  private let transport: any Transport
  private let formats: FormatTable
  private var log: ExchangeLog?
  /// The response from which the objects were read.
  private(set) var response: RemoteResponse?

  /// - Parameter options: how the response is read; ``ReadOptions/keyPath`` is the location of the
  ///   objects in it. The format is determined by `format`, the Content-Type of the response, the
  ///   extension of the path in the URL, or the bytes, in this order.
  public init(
    _ request: TransportRequest, through transport: any Transport,
    options: ReadOptions = ReadOptions(), formats: FormatTable,
    placeholders: Set<Placeholder> = [], name: String = ""
  ) {
    self.request = request
    self.transport = transport
    self.formats = formats
    self.options = options
    self.placeholders = placeholders
    state = SourceState(name: name)
  }

  public var children: [any DataSource] { [] }

  /// `remote, GET https://example.test/posts`
  public var summary: String {
    "remote, \(request.shown)" + (options.keyPath.map { ", at \($0)" } ?? "")
  }

  public var report: LoadReport? { response?.loaded.report }
  public var table: any Table { response?.table ?? ValueTable([]) }
  public var numberOfBytes: Int? { response?.bytes }
  public var exchanges: [LoggedExchange] { log?.exchanges ?? [] }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    fetch.partial()
    let log = ExchangeLog(clock: fetch.progress.clock)
    self.log = log
    let reader = RemoteReader(
      transport: transport, reading: ReadRequest(options: options), formats: formats, log: log)
    let response = try await fetch.reportingBytes(ReceivedBytes(fetch.progress.clock, pace)) {
      [request, response, cancellation = fetch.cancellation, progress = fetch.progress] received in
      try await reader.counting(received).response(
        to: request, earlier: response, cancellation: cancellation, progress: progress)
    }
    try fetch.cancellation.check()
    self.response = response
    return state.snapshot(of: LocalStore(table: response.table, title: .string(name)))
  }

  /// The request, and the number and line of the object in the response.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    // The response is that of the latest content.
    guard !showsEarlierContent, let response, let row = try snapshot.store.local?.row(at: path)
    else { return [] }
    return [try response.explanation(ofRow: row, as: "response")]
  }
}

extension RemoteResponse {
  /// `GET https://example.test/posts, object 3 of 100, line 5`
  func explanation(ofRow row: Int, as subject: String) throws -> ExplanationLine {
    let line = try table.line(of: row).map { ", line \($0)" } ?? ""
    return ExplanationLine(
      subject, "\(request.shown), object \(row + 1) of \(table.count)\(line)")
  }
}
