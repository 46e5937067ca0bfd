import DataTables

/// What came of a request, before it is read.
enum RemoteBody: Sendable {
  /// The server has nothing newer.
  case known(RemoteAnswer)
  /// The body of the response stands beside it.
  case new(TransportResponse, to: TransportRequest, any ByteStore)
}

/// Sends requests and reads what is answered as tables.
struct RemoteReader: Sendable {
  let transport: any Transport
  let options: ReadOptions
  /// As ``ReadOptions/reportsColumns``, for those answers of many that need not be told about.
  var reportsColumns = true
  /// Counts what comes; nil where nobody wants to know.
  var received: ReceivedBytes?

  /// The same, with `received` counting what comes.
  func counting(_ received: ReceivedBytes) -> RemoteReader {
    var reader = self
    reader.received = received
    return reader
  }

  /// The answer to a request: its body, and then the table in it.
  ///
  /// - Parameter known: an earlier answer; when it is one to the same request, the server is asked
  ///   for something newer, and it is given again when there is nothing newer.
  /// - Throws: ``SourceError``.
  // Elsewhere, so that the isolation of the source is free meanwhile.
  @concurrent
  func answer(
    to request: TransportRequest, known: RemoteAnswer? = nil, cancellation: Cancellation,
    progress: Progress? = nil
  ) async throws -> RemoteAnswer {
    try read(
      try await body(
        of: request, known: known, cancellation: cancellation, progress: progress),
      cancellation: cancellation)
  }

  /// Sends a request and takes the body of what is answered, unread.
  /// - Throws: ``SourceError``.
  @concurrent
  func body(
    of request: TransportRequest, known: RemoteAnswer? = nil, cancellation: Cancellation,
    progress: Progress? = nil
  ) async throws -> RemoteBody {
    let phase = progress?.begin(request.shown, unit: .bytes)
    defer { phase?.end() }
    do {
      let known = known.flatMap { $0.isNewest(for: request, options) ? $0 : nil }
      var conditional = request
      conditional.headers += known?.conditions ?? []
      return try await cancellation.canceling { [transport, conditional] in
        try await transport.exchange(conditional) { response in
          if let known, response.status == HTTPStatus.notModified { return .known(known) }
          guard (200..<300).contains(response.status) else {
            throw await StatusFailure(response, to: request).error
          }
          return .new(
            response, to: request, try await spooled(response, of: request, phase: phase))
        }
      }
    } catch {
      throw failure(error, request, cancellation)
    }
  }

  /// Reads a body as a table.
  /// - Throws: ``SourceError``.
  func read(_ body: RemoteBody, cancellation: Cancellation) throws(SourceError) -> RemoteAnswer {
    switch body {
    case .known(let answer): return answer
    case .new(let response, let request, let bytes):
      do {
        return RemoteAnswer(
          request: request, options: options, url: response.url,
          loaded: try table(of: bytes, response, cancellation: cancellation), bytes: bytes.count,
          conditions: Self.conditions(of: response),
          nextLink: LinkHeader.next(in: response.headers))
      } catch {
        throw failure(error, request, cancellation)
      }
    }
  }

  private func failure(
    _ error: any Error, _ request: TransportRequest, _ cancellation: Cancellation
  ) -> SourceError {
    // However the end of the task shows itself.
    if cancellation.isCancelled { return .data(.cancelled) }
    return switch error {
    case let error as TransportError: SourceError(error, of: request)
    case let error as TableError: SourceError(error, of: request)
    default: SourceError(error)
    }
  }

  private func spooled(
    _ response: TransportResponse, of request: TransportRequest, phase: Progress.Phase?
  ) async throws -> any ByteStore {
    var spool = Spool()
    // The length is that of what is sent, not of what it is when it is decompressed.
    if response[header: "Content-Encoding"] == nil {
      phase?.setTotal(response[header: "Content-Length"].flatMap { Int($0) })
    }
    for try await piece in response.body {
      try spool.append(piece)
      phase?.advance(by: piece.count)
      received?.add(piece.count)
      guard spool.count <= request.limits.bodySize else {
        throw TransportError.limit(
          "the body has more than \(request.limits.bodySize) bytes", setting: "bodySize")
      }
    }
    return spool.store()
  }

  private func table(
    of bytes: any ByteStore, _ response: TransportResponse, cancellation: Cancellation
  ) throws -> LoadedTable {
    if response.status == HTTPStatus.noContent {
      return LoadedTable(table: ValueTable([]), report: LoadReport(format: "no content", rows: 0))
    }
    let path = URLParts(response.url).path
    let type = response[header: "Content-Type"].map { MediaType($0) }
    var options = options
    options.reportsColumns = reportsColumns
    options.encoding = try options.encoding ?? type?.encoding()
    options.format = options.format ?? type?.format
    let takesNoBytes = options.format == "ndjson" || options.format == "jsonl"
    if bytes.count == 0, !takesNoBytes {
      throw TableError.format("the body holds no bytes", at: nil)
    }
    if options.format == nil, let type,
      type.isForPeople || type.isForeign && !TableFormats.hasExtension(path)
    {
      throw TableError.format(
        "the body is \(type.name), which no format reads (`format:` names one)", at: nil)
    }
    return try TableFormats.read(
      bytes, named: path, options: options, cancellation: cancellation)
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

extension RemoteAnswer {
  /// Whether it can stand for the answer to a request when there is nothing newer.
  fileprivate func isNewest(for request: TransportRequest, _ options: ReadOptions) -> Bool {
    self.request == request && self.options == options && !conditions.isEmpty
  }
}

extension TableFormats {
  /// Whether a name ends as the files of some format do.
  fileprivate static func hasExtension(_ name: String) -> Bool {
    let name = name.lowercased()
    return all.contains { format in format.extensions.contains { name.hasSuffix("." + $0) } }
  }
}
