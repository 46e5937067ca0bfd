import DataTables

/// The response to a request, read as a table.
struct RemoteResponse: Sendable {
  /// The request, without conditional headers.
  let request: TransportRequest
  /// The options with which the response was read.
  let options: ReadOptions
  let status: Int
  /// The URL of the response, after all redirections.
  let url: String
  let loaded: LoadedTable
  /// The size of the body.
  let bytes: Int
  /// The conditional headers for the next request.
  let conditions: [RequestParameter]
  let headers: [HeaderField]
  /// The target of the `Link` with `rel=next`; nil without one.
  let nextLink: String?

  var table: any Table { loaded.table }
}

/// The body of a response, before it is parsed.
private enum RemoteBody: Sendable {
  /// The server returned 304: the earlier response is still valid.
  case notModified(RemoteResponse)
  /// A new response and its body, completely received.
  case new(TransportResponse, to: TransportRequest, any ByteStore)
}

/// Sends requests and reads their responses as tables.
struct RemoteReader: Sendable {
  let transport: any Transport
  /// How responses are read; the Content-Type of a response adds the format and the encoding.
  var reading: ReadRequest
  let formats: FormatTable
  /// Where the requests are logged; nil for no log.
  var log: ExchangeLog?
  /// Counts the received bytes; nil if nothing reads the count.
  var received: ReceivedBytes?

  /// A copy that counts the received bytes in `received`.
  func counting(_ received: ReceivedBytes) -> RemoteReader {
    var reader = self
    reader.received = received
    return reader
  }

  /// Sends a request, receives its body and reads the table in it.
  ///
  /// - Parameters:
  ///   - earlier: an earlier response. If it belongs to the same request, the request becomes
  ///     conditional, and a 304 returns the earlier response.
  ///   - slot: the place in the log; nil for a new one.
  /// - Throws: ``SourceError``.
  // Concurrent, so that parsing does not block the isolation of the source.
  @concurrent
  func response(
    to request: TransportRequest, earlier: RemoteResponse? = nil, cancellation: Cancellation,
    progress: Progress? = nil, slot: ExchangeLog.Slot? = nil
  ) async throws -> RemoteResponse {
    try read(
      try await body(
        of: request, earlier: earlier, cancellation: cancellation, progress: progress,
        slot: slot ?? log?.slot()),
      cancellation: cancellation)
  }

  /// Sends a request and receives the body of the response, without parsing it.
  private func body(
    of request: TransportRequest, earlier: RemoteResponse?, cancellation: Cancellation,
    progress: Progress?, slot: ExchangeLog.Slot?
  ) async throws -> RemoteBody {
    let phase = progress?.begin(request.shown, unit: .bytes)
    defer { phase?.end() }
    do {
      let earlier = earlier.flatMap { $0.canBeRevalidated(by: request, reading.options) ? $0 : nil }
      var conditional = request
      conditional.headers += earlier?.conditions ?? []
      return try await cancellation.canceling { [transport, conditional] in
        try await transport.exchange(conditional, slot: slot) { response in
          if let earlier, response.status == HTTPStatus.notModified {
            return .notModified(earlier)
          }
          guard HTTPStatus.isSuccess(response.status) || response.isRangeOfNothing else {
            throw await StatusFailure(response, to: request, slot: slot).error
          }
          if response.status == HTTPStatus.partialContent, !request.requestsRange {
            throw TransportError.network(
              "the server sent a part of the content (206), which was not requested",
              isTransient: false)
          }
          return .new(
            response, to: request,
            try await spooled(response, of: request, phase: phase, slot: slot))
        }
      }
    } catch {
      throw failure(error, request, cancellation)
    }
  }

  /// Reads a body as a table.
  private func read(_ body: RemoteBody, cancellation: Cancellation) throws(SourceError)
    -> RemoteResponse
  {
    switch body {
    case .notModified(let earlier): return earlier
    case .new(let response, let request, let bytes):
      do {
        return RemoteResponse(
          request: request, options: reading.options, status: response.status, url: response.url,
          loaded: try table(of: bytes, response, cancellation: cancellation), bytes: bytes.count,
          conditions: Self.conditions(of: response), headers: response.headers,
          nextLink: LinkHeader.next(in: response.headers))
      } catch {
        throw failure(error, request, cancellation)
      }
    }
  }

  private func failure(
    _ error: any Error, _ request: TransportRequest, _ cancellation: Cancellation
  ) -> SourceError {
    // A canceled task can end in any error.
    if cancellation.isCancelled { return .data(.cancelled) }
    return switch error {
    case let error as TransportError: SourceError(error, of: request)
    case let error as TableError: SourceError(error, of: request)
    default: SourceError(error)
    }
  }

  private func spooled(
    _ response: TransportResponse, of request: TransportRequest, phase: Progress.Phase?,
    slot: ExchangeLog.Slot?
  ) async throws -> any ByteStore {
    var spool = Spool()
    // A retry receives the body from its start.
    var incomplete = 0
    defer { phase?.advance(by: -incomplete) }
    // The length counts compressed bytes, progress decompressed ones.
    if response[header: "Content-Encoding"] == nil {
      phase?.setTotal(response[header: "Content-Length"].flatMap { Int($0) })
    }
    for try await piece in response.body {
      try spool.append(piece)
      phase?.advance(by: piece.count)
      incomplete += piece.count
      received?.add(piece.count)
      slot?.add(bytes: piece.count)
      guard spool.count <= request.limits.bodySize else {
        throw TransportError.limit(
          "the body has more than \(request.limits.bodySize.counted("byte"))", setting: "bodySize")
      }
    }
    incomplete = 0
    return spool.store()
  }

  private func table(
    of bytes: any ByteStore, _ response: TransportResponse, cancellation: Cancellation
  ) throws -> LoadedTable {
    if response.status == HTTPStatus.noContent || response.isRangeOfNothing {
      return LoadedTable(table: ValueTable([]), report: LoadReport(format: "no content", rows: 0))
    }
    let path = URLParts(response.url).path
    let type = response[header: "Content-Type"].map { MediaType($0) }
    var reading = reading
    let typeFormat = type.flatMap { formats.format(ofMediaType: $0.name) }
    let format = reading.options.format.map(formats.named) ?? typeFormat
    if reading.options.encoding == nil { reading.options.encoding = try type?.encoding() }
    reading.options.format = reading.options.format ?? typeFormat?.name
    if bytes.count == 0, !(format?.allowsEmptyFile ?? false) {
      throw TableError.format("the body is empty", at: nil)
    }
    let decompression = Decompression(formats: formats)
    let content = try decompression.content(
      of: bytes, named: path, options: reading.options, cancellation: cancellation)
    if reading.options.format == nil, let type,
      type.isForPeople
        || type.isForeign && content.codecs.isEmpty && formats.format(ofFileNamed: path) == nil
    {
      throw TableError.format(
        "the body is \(type.name), which no format reads (`format:` names one)", at: nil)
    }
    return try decompression.table(of: content, request: reading, cancellation: cancellation)
  }

  private static func conditions(of response: TransportResponse) -> [RequestParameter] {
    var conditions: [RequestParameter] = []
    if let tag = response[header: "ETag"] {
      conditions.append(RequestParameter("If-None-Match", .plain(tag)))
    }
    if let time = response[header: "Last-Modified"] {
      conditions.append(RequestParameter("If-Modified-Since", .plain(time)))
    }
    return conditions
  }
}

extension TransportRequest {
  fileprivate var requestsRange: Bool { headers.contains { $0.name.lowercased() == "range" } }
}

extension TransportResponse {
  /// Whether every range is out of bounds because the server has no objects.
  fileprivate var isRangeOfNothing: Bool {
    status == HTTPStatus.rangeNotSatisfiable
      && self[header: "Content-Range"]?.hasSuffix("*/0") ?? false
  }
}

extension RemoteResponse {
  /// Whether a 304 response to a request means that this response is still valid.
  fileprivate func canBeRevalidated(by request: TransportRequest, _ options: ReadOptions) -> Bool {
    self.request == request && request.body == nil && self.options == options
      && !conditions.isEmpty
  }
}
