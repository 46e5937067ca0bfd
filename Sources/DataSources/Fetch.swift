public import DataTables

/// One source's part in a fetch, with all the sources the fetch reaches: each is fetched at most
/// once.
public final class Fetch {
  /// Raised when this source's fetch, or one that it is part of, is cancelled.
  public let cancellation: Cancellation
  /// What is told how far the work is.
  public var progress: Progress { round.progress }
  let round: FetchRound
  let source: any DataSource

  init(_ round: FetchRound, of source: any DataSource, cancellation: Cancellation) {
    self.round = round
    self.source = source
    self.cancellation = cancellation
  }

  /// The content of a child, brought up to date.
  /// - Throws: ``SourceError``, what the child's fetch failed with.
  public func snapshot(of child: any DataSource) async throws -> Snapshot {
    try await round.snapshot(of: child, cancellation: cancellation).get()
  }

  /// Tells the delegate that a part has come, and what.
  public func partial(_ part: SourceEvent.Part? = nil) { round.note(.partial(part), of: source) }
}

extension DataSource {
  /// Brings the source and all that it wraps up to date; then the sources that wrap any of these,
  /// if they were fetched before.
  ///
  /// A fetch that is under way is joined, and its outcome is this one's. A fetch that fails or is
  /// cancelled leaves the content as it was.
  /// - Parameters:
  ///   - cancellation: a further way to cancel, besides ``cancelFetch()`` and the task's.
  ///   - progress: is told how far the work is.
  ///   - listener: hears every event as it happens, of all sources that the fetch reaches; nothing
  ///     when the fetch only joins another.
  /// - Throws: ``SourceError``, also found in ``error``.
  public func fetchData(
    cancellation: Cancellation? = nil, progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws {
    try await fetchData(
      demand: .firstPage, cancellation: cancellation, progress: progress, listener: listener)
  }

  /// The same; the paginated sources that the fetch reaches bring what is demanded.
  func fetchData(
    demand: PageSelection, cancellation: Cancellation?, progress: Progress,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws {
    while isFetching {
      let isMore = demand.isMore(than: state.demand)
      await waitForFetch(cancellation)
      if !isMore || cancellation?.isCancelled == true || Task.isCancelled {
        if let error { throw error }
        return
      }
    }
    let flag = Cancellation(parent: cancellation)
    let round = FetchRound(
      from: self, demand: demand, progress: progress, listener: listener)
    let result = await flag.followingTask {
      let result = await round.fetch(self, cancellation: flag)
      await round.updateWrappers(cancellation: flag)
      return result
    }
    _ = try result.get()
  }

  /// Waits for the end of the fetch that is under way, if there is one.
  /// - Parameter cancellation: ends the fetch.
  package func waitForFetch(_ cancellation: Cancellation? = nil) async {
    guard let cancellation else { return await state.waitForEnd() }
    // The flag may be raised by a signal handler, which can wake nobody.
    while isFetching {
      if cancellation.isCancelled { cancelFetch() }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Ends the fetch that is under way with `cancelled`, if there is one.
  public func cancelFetch() { state.cancel() }

  /// Has the source follow those it wraps: called once, at the end of a wrapper's initialiser.
  public func listenToChildren() {
    var seen: Set<ObjectIdentifier> = []
    for child in children where seen.insert(ObjectIdentifier(child)).inserted {
      child.state.add(wrapper: self)
    }
  }
}
