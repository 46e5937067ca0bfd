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
    let stage = limit.flatMap { _ in
      sequence.next.map { progress.begin($0.shown, unit: .pages, total: sequence.numberOfPages) }
    }
    defer { stage?.end() }
    repeat {
      guard let request = sequence.next else { break }
      if let limit, sequence.pages.count >= limit {
        throw SourceError.data(
          .limit(
            "\(request.shown): there are more than \(limit) pages", setting: "maxPages", at: nil))
      }
      // Of many pages the pages are counted, of one the bytes.
      try sequence.take(
        try await answer(
          to: request, cancellation: cancellation, progress: stage == nil ? progress : nil))
      stage?.advance(by: 1)
      stage?.setTotal(sequence.numberOfPages)
    } while limit != nil
    return sequence
  }

  private func answer(
    to request: TransportRequest, cancellation: Cancellation, progress: Progress?
  ) async throws -> RemoteAnswer {
    if let ahead, ahead.request == request,
      let answer = try await ahead.answer(cancellation: cancellation)
    {
      return answer
    }
    return try await reader.answer(
      to: request, known: known.first { $0.request == request }, cancellation: cancellation,
      progress: progress)
  }
}
