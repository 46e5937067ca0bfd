import DataSources
import DataTables

/// A fetch that goes on while other commands run; it ends with its last owner, the session.
final class BackgroundFetch {
  let source: any DataSource
  /// Where it was asked for.
  let span: Span
  /// nil while it goes on.
  private(set) var outcome: Result<Void, SourceError>?
  private let cancellation = Cancellation()

  private init(_ source: any DataSource, at span: Span) {
    self.source = source
    self.span = span
  }

  deinit { cancellation.cancel() }

  /// Begins a fetch; where nothing confines the sources to an actor it is over before this returns.
  static func start(
    _ source: any DataSource, _ demand: FetchDemand, at span: Span,
    progress: Progress, listener: ((TranscriptEntry) -> Void)?,
    isolation: isolated (any Actor)? = #isolation
  ) async -> BackgroundFetch {
    let fetch = BackgroundFetch(source, at: span)
    let flag = fetch.cancellation
    guard isolation != nil else {
      fetch.outcome = await source.outcome(
        of: demand, cancellation: flag, progress: progress, listener: listener)
      return fetch
    }
    // Without the fetch, so that it can end with the session.
    Task { [weak fetch] in
      // Named, the isolation is that of the task; else it would run outside of any.
      _ = isolation
      let outcome = await source.outcome(
        of: demand, cancellation: flag, progress: progress, listener: listener)
      fetch?.outcome = outcome
    }
    // Its first steps are taken now: a source that is fetched says so at once.
    while fetch.outcome == nil, !source.isFetching { await Task.yield() }
    return fetch
  }

  /// Waits for the end. Whoever cancels the waiting ends the fetch.
  func wait(_ cancellation: Cancellation) async {
    // The flag may be raised by a signal handler, which can wake nobody.
    while outcome == nil {
      if cancellation.isCancelled { cancel() }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  func cancel() {
    cancellation.cancel()
    source.cancelFetch()
  }
}

extension DataSource {
  fileprivate func outcome(
    of demand: FetchDemand, cancellation: Cancellation, progress: Progress,
    listener: ((TranscriptEntry) -> Void)?
  ) async -> Result<Void, SourceError> {
    do {
      try await fetch(
        demand, cancellation: cancellation, progress: progress, listener: listener)
      return .success(())
    } catch {
      return .failure(SourceError(error))
    }
  }
}
