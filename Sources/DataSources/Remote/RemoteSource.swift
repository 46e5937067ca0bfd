public import DataTables

/// The objects at a URL, as one section.
///
/// - Shape: one section, titled with the name of the source, or ""; none before the first fetch.
///
/// A fetch asks the transport, and tells will, a partial when the request goes out, further ones
/// with the bytes so far once a second when they are many, and finished or failed. Any status other than 2xx is failed. A server that says how to ask for something newer
/// (`ETag`, `Last-Modified`) is asked so the next time, and one that has nothing newer leaves the
/// objects as they are. A failed fetch keeps them too.
///
/// Of a body larger than 16 MiB only what is looked at is in memory.
public final class RemoteSource: RequestingSource {
  public static let kind = "remote"
  public static let fetchesSynchronously = false
  public let state: SourceState
  public var request: TransportRequest
  public var options: ReadOptions
  public var placeholders: Set<Placeholder>
  /// How partials of an answer that takes long are told.
  var pace = ReceivedBytes.Pace()
  private let transport: any Transport
  /// What the objects came in.
  private(set) var answer: RemoteAnswer?

  /// - Parameter options: how the answer is read; ``ReadOptions/keyPath`` tells where in it the
  ///   objects are. The format is found by `format`, the answer's Content-Type, the extension of the
  ///   URL's path, a look at the bytes, in that order.
  public init(
    _ request: TransportRequest, through transport: any Transport,
    options: ReadOptions = ReadOptions(), placeholders: Set<Placeholder> = [], name: String = ""
  ) {
    self.request = request
    self.transport = transport
    self.options = options
    self.placeholders = placeholders
    state = SourceState(name: name)
  }

  public var children: [any DataSource] { [] }

  /// `remote, GET https://example.test/posts`
  public var summary: String {
    "remote, \(request.shown)" + (options.keyPath.map { ", at \($0)" } ?? "")
  }

  public var report: LoadReport? { answer?.loaded.report }
  public var table: any Table { answer?.table ?? ValueTable([]) }
  public var numberOfBytes: Int? { answer?.bytes }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    fetch.partial()
    let reader = RemoteReader(transport: transport, options: options)
    let answer = try await fetch.tellingBytes(ReceivedBytes(fetch.progress.clock, pace)) {
      [request, answer, cancellation = fetch.cancellation, progress = fetch.progress] received in
      try await reader.counting(received).answer(
        to: request, known: answer, cancellation: cancellation, progress: progress)
    }
    try fetch.cancellation.check()
    self.answer = answer
    return Snapshot(LocalStore(table: answer.table, title: .string(name)))
  }

  /// The request, and where in the answer the object stands.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    guard let answer, let row = try snapshot.store.local?.row(at: path) else { return [] }
    return [try answer.explanation(ofRow: row, as: "answer")]
  }
}

extension RemoteAnswer {
  /// `GET https://example.test/posts, object 3 of 100, line 5`
  func explanation(ofRow row: Int, as subject: String) throws -> ExplanationLine {
    let line = try table.line(of: row).map { ", line \($0)" } ?? ""
    return ExplanationLine(
      subject, "\(request.shown), object \(row + 1) of \(table.count)\(line)")
  }
}
