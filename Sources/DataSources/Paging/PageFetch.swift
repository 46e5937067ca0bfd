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
  /// In a fetch of all pages, the body of the next page is received while a page is parsed.
  /// - Throws: ``SourceError``, `limit` for more than ``limit`` pages.
  // Concurrent, so that parsing does not block the isolation of the source.
  @concurrent
  func fetchPages(
    of sequence: PageSequence, cancellation: Cancellation, progress: Progress
  ) async throws -> PageSequence {
    var sequence = sequence
    let phase = limit.flatMap { _ in
      sequence.next.map { progress.begin($0.shown, unit: .pages, total: sequence.numberOfPages) }
    }
    defer { phase?.end() }
    var upcoming: UpcomingBody?
    repeat {
      guard let request = sequence.next else { break }
      try checkLimit(before: request, after: sequence.pages.count)
      // The load report describes the columns of the first page only.
      var reader = reader
      reader.reading.reportsColumns = sequence.pages.isEmpty
      let response: RemoteResponse
      if let page = try await prefetched?.response(to: request, cancellation: cancellation) {
        response = page
      } else {
        let body: RemoteBody
        if let upcoming, upcoming.request == request {
          body = try upcoming.body.get()
        } else {
          // Progress counts pages in a fetch of all pages, and bytes in a fetch of one page.
          body = try await self.body(of: request, cancellation, phase == nil ? progress : nil)
        }
        let mayContinue = sequence.pages.count + 1 < limit ?? 0
        async let next = upcomingBody(of: mayContinue ? sequence.afterNext : nil, cancellation)
        response = try reader.read(body, cancellation: cancellation)
        upcoming = await next
      }
      try sequence.append(response)
      phase?.advance(by: 1)
      phase?.setTotal(sequence.numberOfPages)
    } while limit != nil
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

  private func body(
    of request: TransportRequest, _ cancellation: Cancellation, _ progress: Progress?
  ) async throws -> RemoteBody {
    try await reader.body(
      of: request, earlier: earlier.first { $0.request == request }, cancellation: cancellation,
      progress: progress)
  }

  /// The body of a page that is requested early. An error is thrown only when the page is needed.
  private struct UpcomingBody: Sendable {
    let request: TransportRequest
    let body: Result<RemoteBody, any Error>
  }

  @concurrent
  private func upcomingBody(
    of request: TransportRequest?, _ cancellation: Cancellation
  ) async -> UpcomingBody? {
    guard let request else { return nil }
    do {
      let body = try await body(of: request, cancellation, nil)
      return UpcomingBody(request: request, body: .success(body))
    } catch {
      return UpcomingBody(request: request, body: .failure(error))
    }
  }
}

/// A page that is requested before it is needed. The release of its last owner cancels the request.
final class PrefetchedPage: Sendable {
  let request: TransportRequest
  private let task: Task<RemoteResponse, any Error>

  init(_ request: TransportRequest, _ reader: RemoteReader) {
    self.request = request
    task = Task { try await reader.response(to: request, cancellation: Cancellation()) }
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
