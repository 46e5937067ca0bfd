import DataTables

/// Requests the pages of one fetch.
struct PageFetch: Sendable {
  private(set) var reader: RemoteReader
  /// Earlier responses, for conditional requests.
  let known: [RemoteResponse]
  /// The next page, if it was prefetched.
  let ahead: PrefetchedPage?
  /// The maximum number of pages of a fetch of all pages; nil for a fetch of one page.
  let limit: Int?

  /// A copy that counts the received bytes in `received`.
  func counting(_ received: ReceivedBytes) -> PageFetch {
    var steps = self
    steps.reader = reader.counting(received)
    return steps
  }

  /// Returns the sequence with one more page, or with all pages.
  /// - Throws: ``SourceError``, `limit` when there are more than ``limit``.
  // Concurrent, so that the isolation of the source stays free.
  @concurrent
  func following(
    _ sequence: PageSequence, cancellation: Cancellation, progress: Progress
  ) async throws -> PageSequence {
    var sequence = sequence
    let phase = limit.flatMap { _ in
      sequence.next.map { progress.begin($0.shown, unit: .pages, total: sequence.numberOfPages) }
    }
    defer { phase?.end() }
    var coming: (request: TransportRequest, body: Result<RemoteBody, any Error>)?
    repeat {
      guard let request = sequence.next else { break }
      if let limit, sequence.pages.count >= limit {
        throw SourceError.data(
          .limit(
            "\(request.shown): there are more than \(limit) pages", setting: "maxPages", at: nil))
      }
      // The load report describes the columns of the first page only.
      var reader = reader
      reader.reportsColumns = sequence.pages.isEmpty
      let answer: RemoteResponse
      if let page = try await ahead?.answer(to: request, cancellation: cancellation) {
        answer = page
      } else {
        let body: RemoteBody
        if let coming, coming.request == request {
          body = try coming.body.get()
        } else {
          // Progress counts pages in a fetch of all pages, and bytes in a fetch of one page.
          body = try await self.body(of: request, cancellation, phase == nil ? progress : nil)
        }
        let goesOn = sequence.pages.count + 1 < limit ?? 0
        async let following = comingBody(of: goesOn ? sequence.afterNext : nil, cancellation)
        answer = try reader.read(body, cancellation: cancellation)
        coming = await following
      }
      try sequence.take(answer)
      phase?.advance(by: 1)
      phase?.setTotal(sequence.numberOfPages)
    } while limit != nil
    return sequence
  }

  private func body(
    of request: TransportRequest, _ cancellation: Cancellation, _ progress: Progress?
  ) async throws -> RemoteBody {
    try await reader.body(
      of: request, known: known.first { $0.request == request }, cancellation: cancellation,
      progress: progress)
  }

  /// The body of the next page, received while the page before it is read; its error is thrown at
  /// its turn.
  @concurrent
  private func comingBody(
    of request: TransportRequest?, _ cancellation: Cancellation
  ) async -> (request: TransportRequest, body: Result<RemoteBody, any Error>)? {
    guard let request else { return nil }
    do {
      return (request, .success(try await body(of: request, cancellation, nil)))
    } catch {
      return (request, .failure(error))
    }
  }
}

/// A page that is requested before it is needed; canceled with its last owner.
final class PrefetchedPage: Sendable {
  let request: TransportRequest
  private let task: Task<RemoteResponse, any Error>

  init(_ request: TransportRequest, _ reader: RemoteReader) {
    self.request = request
    task = Task { try await reader.answer(to: request, cancellation: Cancellation()) }
  }

  deinit { task.cancel() }

  /// The page; nil if it is another page or failed, so that it is requested again.
  /// - Throws: `TableError.cancelled`, which cancels the request of the page too.
  @concurrent
  func answer(
    to wanted: TransportRequest, cancellation: Cancellation
  ) async throws -> RemoteResponse? {
    guard wanted == request else { return nil }
    let answer = try await cancellation.canceling { [task] in
      await withTaskCancellationHandler {
        try? await task.value
      } onCancel: {
        task.cancel()
      }
    }
    try cancellation.check()
    return answer
  }
}
