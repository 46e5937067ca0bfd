import DataTables

// Fetches that are late, or fail, on request.
extension WrappingSource {
  /// The content of a fetch of a source that misbehaves on request.
  ///
  /// A fault prevents the fetch of the source below, so that a failed page is requested again. Updates
  /// after an edit or a fetch of the source below are neither late nor do they fail.
  func makeSnapshot(_ fetch: Fetch, attempt log: AttemptLog) async throws -> Snapshot {
    if fetch.isUpdate { return try await plannedSnapshot(fetch) }
    let requested = pages(requestedBy: fetch.options)
    try await pause(log.faults.delay, fetch)
    if let fault = log.begin(.fetch, pages: requested) {
      throw SourceError.fault(fault.message(of: Self.kind))
    }
    let snapshot = try await plannedSnapshot(fetch)
    guard fetch.options.pages == .all else { return snapshot }
    // The number of pages is known only now.
    for page in 1..<max(1, numberOfFetchedPages) {
      try await pause(log.faults.delay, fetch)
      if let fault = log.fault(ofPages: [page + 1]) {
        throw SourceError.fault(fault.message(of: Self.kind))
      }
    }
    return snapshot
  }

  /// The numbers of the pages that a fetch requests first, from 1; empty without paginated sources.
  private func pages(requestedBy options: FetchOptions) -> [Int] {
    let paginated = paginatedSources
    guard options.pages == .next else { return paginated.isEmpty ? [] : [1] }
    return paginated.filter(\.hasMorePages).map { $0.numberOfFetchedPages + 1 }
  }

  private var numberOfFetchedPages: Int {
    paginatedSources.map(\.numberOfFetchedPages).max() ?? 0
  }

  private func pause(_ delay: Duration, _ fetch: Fetch) async throws {
    guard delay > .zero else { return }
    fetch.partial()
    let phase = fetch.progress.begin("waiting \(delay.written)")
    defer { phase.end() }
    try await fetch.progress.clock.sleep(for: delay, cancellation: fetch.cancellation)
  }
}
