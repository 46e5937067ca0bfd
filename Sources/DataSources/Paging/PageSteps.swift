import DataTables

/// Asks for the pages that one fetch brings.
struct PageSteps: Sendable {
  private(set) var reader: RemoteReader
  /// Earlier answers, of which a server may say that they are the newest.
  let known: [RemoteAnswer]
  /// The next page, when it was asked for before.
  let ahead: PageAhead?
  /// The most pages of a fetch of all pages; nil for one page.
  let limit: Int?

  /// The same, with `received` counting what comes.
  func counting(_ received: ReceivedBytes) -> PageSteps {
    var steps = self
    steps.reader = reader.counting(received)
    return steps
  }

  /// The sequence with one more page, or with all of them.
  /// - Throws: ``SourceError``, `limit` when there are more than ``limit``.
  // Elsewhere, so that the isolation of the source is free meanwhile.
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
      // What is told of columns is what the first page has.
      var reader = reader
      reader.reportsColumns = sequence.pages.isEmpty
      let answer: RemoteAnswer
      if let page = try await ahead?.answer(to: request, cancellation: cancellation) {
        answer = page
      } else {
        let body: RemoteBody
        if let coming, coming.request == request {
          body = try coming.body.get()
        } else {
          // Of many pages the pages are counted, of one the bytes.
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

  /// What comes while the page before it is read; why it did not is told when it is its turn.
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
