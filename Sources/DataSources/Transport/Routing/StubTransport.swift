public import DataTables
import Glibc

/// Responds in place of a server, from a file or from the files of a folder.
public struct StubTransport: Transport {
  /// For a file: the URL of the requests; without a query, it matches any query. For a folder: the
  /// prefix of the URLs.
  public let url: String
  /// The file or folder.
  public let path: String
  /// The status of responses with a file.
  public var status = 200
  /// The status of the responses to requests that ``faults`` selects; nil for 503, or for ``status`` if
  /// these responses are cut. If it is not one of success, the other responses are cut.
  public var failureStatus: Int?
  /// How late responses are, and which requests fail.
  public var faults: Faults {
    get { attempts.faults }
    set { attempts = AttemptLog(newValue) }
  }
  /// The faults as they are written, with the status of responses that fail if it is not the usual
  /// one.
  package var writtenFaults: String {
    let usual = faults.droppedAfter == nil ? 503 : status
    let written = failureStatus.flatMap { $0 == usual || !faults.canFail ? nil : "status: \($0) " }
    return (written ?? "") + faults.written
  }
  /// Whether the selected requests have responses without content, so that the others are cut.
  private var cutsOthers: Bool {
    faults.selectsAttempts && !HTTPStatus.isSuccess(failureStatus ?? status)
  }
  /// The clock of the delay.
  package var clock = AdjustableClock()
  private var attempts = AttemptLog(Faults())
  /// Headers that are added to the response. A Content-Type replaces the type that the extension of
  /// the file determines.
  public var headers: [HeaderField] = []
  public let isFolder: Bool
  /// The size of the file in bytes; nil if it is not a regular file.
  package var size: Int? {
    var facts = stat()
    guard stat(FileOverlay.readable(path), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(facts.st_size)
  }
  /// ``url`` without user, password and other secrets.
  public var shownURL: String { Redactor().redacted(url: url) }
  /// The parts of ``url``.
  let parts: RequestURL
  /// Formats, whose extensions determine the files of a folder and their media types.
  private let formats: FormatTable

  /// - Throws: `TableError.io` if `path` does not exist, `badArgument` for a URL without a host.
  public init(
    url: String, path: String, formats: FormatTable
  ) throws(TableError) {
    self.url = url
    self.path = path
    self.formats = formats
    parts = RequestURL(url)
    guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty else {
      throw .badArgument(
        "`\(Redactor().redacted(url: url))` is not an HTTP URL; write one like "
          + "`http://example.test/posts`")
    }
    var facts = stat()
    guard stat(FileOverlay.readable(path), &facts) == 0 else {
      throw OpenFile.failure("cannot open", path)
    }
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
  }

  /// A rank of the match with a request's URL; nil without a match. If several stubs match, the one
  /// with the highest rank, which is the most specific, responds.
  func match(_ request: RequestURL) -> Int? {
    guard request.scheme == parts.scheme, request.host == parts.host,
      parts.query.allSatisfy(request.query.contains)
    else { return nil }
    let path = parts.path
    let isMatch =
      isFolder
      ? request.path == path || request.path.hasPrefix(path.hasSuffix("/") ? path : path + "/")
      : request.path == path
    return isMatch ? path.utf8.count + parts.query.count * 1000 + (isFolder ? 0 : 1) : nil
  }

  /// - Throws: ``TransportError/denied(_:)`` for a path that leads out of the folder, `io` for
  ///   a file that cannot be read, `timeout` for a delay that exceeds the limit of the request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let url = request.sentURL
    try await delay(within: request.limits.timeout)
    let fault = attempts.begin(.request)
    let isCut = faults.droppedAfter != nil && (fault == nil) == cutsOthers
    if let fault, !isCut {
      return TransportResponse(
        status: failureStatus ?? 503, headers: Self.plainText + headers, url: url,
        body: .of([Array((fault.message(of: "stub") + "\n").utf8)]))
    }
    guard let file = try isFolder ? file(for: url) : path, FolderFiles.isFile(file) else {
      let text = "no file in \(path.lastPathComponent) matches \(RequestURL(url).path)\n"
      return TransportResponse(
        status: 404, headers: Self.plainText, url: url, body: .of([Array(text.utf8)]))
    }
    if !isCut, isCurrent(request) {
      return TransportResponse(
        status: HTTPStatus.notModified, headers: headers, url: url, body: .of([]))
    }
    let isTyped = headers.contains { $0.name.lowercased() == "content-type" }
    let type =
      isTyped
      ? [] : [HeaderField("Content-Type", ContentType.ofFile(named: file, formats: formats))]
    guard isCut, let limit = faults.droppedAfter else {
      return TransportResponse(
        status: status, headers: type + headers, url: url, body: try FolderFiles.body(of: file))
    }
    return TransportResponse(
      status: cutsOthers ? status : failureStatus ?? status, headers: type + headers, url: url,
      body: try Self.body(of: file, droppedAfter: limit))
  }

  /// The first bytes of a file, then an error unless they are all.
  private static func body(
    of file: String, droppedAfter limit: Int
  ) throws -> TransportBody {
    var bytes: [UInt8] = []
    var isWhole = true
    do {
      let file = try OpenFile(path: file)
      let size = file.size ?? 0
      bytes = Array(repeating: 0, count: min(limit, size))
      isWhole = size <= limit
      let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
      bytes.removeLast(bytes.count - count)
    } catch let error as TableError {
      throw TransportError(error)
    }
    return TransportBody { (pieces: AsyncThrowingStream<[UInt8], any Error>.Continuation) in
      pieces.yield(bytes)
      pieces.finish(
        throwing: isWhole
          ? nil
          : TransportError.network(
            "the connection was closed after \(limit) bytes", isTransient: true))
    }
  }

  /// Whether the conditional headers of a request name the content, by the `ETag` or `Last-Modified`
  /// among ``headers``.
  private func isCurrent(_ request: TransportRequest) -> Bool {
    func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
    func sent(_ name: String) -> String? {
      request.headers.first { $0.name.lowercased() == name }?.value.sent
    }
    guard status == 200 else { return false }
    if let tag = sent("if-none-match") { return tag == value("etag") }
    return sent("if-modified-since").map { $0 == value("last-modified") } ?? false
  }

  private static let plainText = [HeaderField("Content-Type", "text/plain; charset=utf-8")]

  private func delay(within limit: Double) async throws(TransportError) {
    let delay = faults.delay
    guard delay > .zero else { return }
    do {
      try await clock.sleep(for: min(delay, .seconds(limit)))
    } catch {
      throw .cancelled
    }
    if delay > .seconds(limit) {
      throw .timeout(
        "no complete response was received within \(limit.writtenAsSeconds)", seconds: limit)
    }
  }

  private func file(for url: String) throws(TransportError) -> String? {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    let path = RequestURL(url).path.dropFirst(parts.path.count)
    return try FolderFiles(folder: self.path, formats: formats).file(
      for: PercentEncoding.text(of: path), query: PercentEncoding.text(of: query))
  }
}
