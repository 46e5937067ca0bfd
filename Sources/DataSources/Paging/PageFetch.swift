import DataTables

/// Requests the pages of one fetch.
struct PageFetch: Sendable {
  private(set) var reader: RemoteReader
  /// Earlier responses, for conditional requests.
  let earlier: [RemoteResponse]
  /// The next page, if it was prefetched.
  let prefetched: PrefetchedPage?
  /// The maximum number of pages of a fetch of all pages; nil for a fetch of one page.
  let limit: Int?

  /// A copy that counts the received bytes in `received`.
  func counting(_ received: ReceivedBytes) -> PageFetch {
    var fetch = self
    fetch.reader = reader.counting(received)
    return fetch
  }

  /// Returns the sequence with one more page, or with all pages.
  ///
  /// In a fetch of all pages, pages whose requests are known ahead are fetched side by side, and
  /// appended in their order. A failure is that of the first page that fails.
  /// - Throws: ``SourceError``, `limit` for more than ``limit`` pages.
  // Concurrent, so that parsing does not block the isolation of the source.
  @concurrent
  func fetchPages(
    of sequence: PageSequence, cancellation: Cancellation, progress: Progress
  ) async throws -> PageSequence {
    guard limit != nil else {
      return try await onePage(after: sequence, cancellation, progress)
    }
    let phase = sequence.next.map {
      progress.begin($0.shown, unit: .pages, total: sequence.numberOfPages)
    }
    defer { phase?.end() }
    return try await withThrowingTaskGroup { group in
      var sequence = sequence
      var window = PageWindow(fetch: self, cancellation: cancellation)
      while let request = try sequence.nextRequest() {
        try checkLimit(before: request, after: sequence.pages.count)
        try sequence.checkRepetition()
        do {
          try sequence.append(try await window.response(to: request, in: sequence, &group))
        } catch {
          try sequence.endOrThrow(error)
        }
        phase?.advance(by: 1)
        phase?.setTotal(sequence.numberOfPages)
      }
      // Requests beyond the last page, if the server has fewer than it announced.
      group.cancelAll()
      return sequence
    }
  }

  /// Appends one page, and the pages after it as long as they have no objects.
  private func onePage(
    after sequence: PageSequence, _ cancellation: Cancellation, _ progress: Progress
  ) async throws -> PageSequence {
    var sequence = sequence
    repeat {
      guard let request = try sequence.nextRequest() else { break }
      if let page = try await prefetched?.response(to: request, cancellation: cancellation) {
        try sequence.append(page)
      } else {
        do {
          try sequence.append(
            try await response(
              to: request, cancellation, isFirst: sequence.pages.isEmpty, progress: progress))
        } catch {
          try sequence.endOrThrow(error)
        }
      }
    } while sequence.numberOfEmptyPages > 0 && sequence.next != nil
    return sequence
  }

  private func checkLimit(
    before request: TransportRequest, after pages: Int
  ) throws(SourceError) {
    guard let limit, pages >= limit else { return }
    throw .data(
      .limit(
        "\(request.shown): there are more than \(limit.counted("page"))", setting: "maxPages",
        at: nil))
  }

  /// - Parameters:
  ///   - isFirst: the load report describes the columns of the first page only.
  ///   - progress: counts bytes; nil in a fetch of all pages, which counts pages.
  fileprivate func response(
    to request: TransportRequest, _ cancellation: Cancellation, isFirst: Bool,
    progress: Progress? = nil, slot: ExchangeLog.Slot? = nil
  ) async throws -> RemoteResponse {
    var reader = reader
    reader.reading.reportsColumns = isFirst
    return try await reader.response(
      to: request, earlier: earlier.first { $0.request == request }, cancellation: cancellation,
      progress: progress, slot: slot)
  }
}

extension PageSequence {
  /// Ends the pages if the request for the next one failed because no more objects exist.
  /// - Throws: any other error; for a page that was not found, with the number of pages before it.
  fileprivate mutating func endOrThrow(_ error: any Error) throws {
    guard case SourceError.httpStatus(let status, let request, let excerpt, _, _) = error,
      !pages.isEmpty
    else { throw error }
    switch (paging.style, status) {
    case (.range, HTTPStatus.rangeNotSatisfiable): end()
    case (.page, HTTPStatus.notFound), (.offset, HTTPStatus.notFound):
      let isKnown = total != nil || numberOfPages != nil
      throw SourceError.httpStatus(
        status, request: request, excerpt: excerpt, pages: isKnown ? nil : pages.count)
    default: throw error
    }
  }
}

/// The pages of a fetch of all pages that are fetched side by side, ahead of the page that is needed.
private struct PageWindow {
  typealias Page = (request: TransportRequest, response: Result<RemoteResponse, any Error>)

  let fetch: PageFetch
  let cancellation: Cancellation
  private var running: Set<TransportRequest> = []
  private var arrived: [TransportRequest: Result<RemoteResponse, any Error>] = [:]

  init(fetch: PageFetch, cancellation: Cancellation) {
    self.fetch = fetch
    self.cancellation = cancellation
  }

  /// The response to the next request of a sequence. The requests after it are sent, too, if they are
  /// known; an error in one of their responses is thrown when the page is needed.
  mutating func response(
    to request: TransportRequest, in sequence: PageSequence,
    _ group: inout ThrowingTaskGroup<Page, any Error>
  ) async throws -> RemoteResponse {
    let transport = fetch.reader.transport
    let width = transport.policy(for: request).parallelRequests
    let allowed = (fetch.limit ?? 1) - sequence.pages.count
    let upcoming = sequence.upcoming(min(width, allowed))
    if !sequence.hasEqualPages, !running.isEmpty, sequence.paging.style != .page {
      try await stop(&group)
    }
    guard upcoming.count > 1 || running.contains(request) || arrived[request] != nil else {
      return try await fetch.response(to: request, cancellation, isFirst: sequence.pages.isEmpty)
    }
    for request in upcoming where !running.contains(request) && arrived[request] == nil {
      start(request, &group)
    }
    while arrived[request] == nil, let page = try await group.next() {
      running.remove(page.request)
      arrived[page.request] = page.response
    }
    guard let response = arrived.removeValue(forKey: request) else { throw TableError.cancelled }
    return try response.get()
  }

  /// Cancels the requests at guessed offsets; pages that have arrived may still be needed.
  private mutating func stop(_ group: inout ThrowingTaskGroup<Page, any Error>) async throws {
    group.cancelAll()
    while let page = try await group.next() { arrived[page.request] = page.response }
    running = []
    arrived = arrived.filter { if case .success = $0.value { true } else { false } }
  }

  private mutating func start(
    _ request: TransportRequest, _ group: inout ThrowingTaskGroup<Page, any Error>
  ) {
    running.insert(request)
    let slot = fetch.reader.log?.slot()
    group.addTask { [fetch, cancellation] in
      do {
        let response = try await fetch.response(
          to: request, cancellation, isFirst: false, slot: slot)
        return (request, .success(response))
      } catch {
        return (request, .failure(error))
      }
    }
  }
}

/// A page that is requested before it is needed. The release of its last owner cancels the request.
final class PrefetchedPage: Sendable {
  let request: TransportRequest
  private let task: Task<RemoteResponse, any Error>

  init(_ request: TransportRequest, _ reader: RemoteReader) {
    self.request = request
    task = Task(executorPreference: DeterministicExecutor.current) {
      try await reader.response(to: request, cancellation: Cancellation())
    }
  }

  deinit { task.cancel() }

  /// The page; nil if `wanted` requests another page or if the request failed. After nil, the
  /// caller sends the request itself.
  /// - Throws: `TableError.cancelled`; the request of the page is canceled too.
  @concurrent
  func response(
    to wanted: TransportRequest, cancellation: Cancellation
  ) async throws -> RemoteResponse? {
    guard wanted == request else { return nil }
    let response = try await cancellation.canceling { [task] in
      await withTaskCancellationHandler {
        try? await task.value
      } onCancel: {
        task.cancel()
      }
    }
    try cancellation.check()
    return response
  }
}
