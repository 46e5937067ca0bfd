import DataSources
import DataTables

/// A fetch that runs while other commands run. The session owns it and cancels it by releasing it.
final class BackgroundFetch {
  let source: any DataSource
  /// The location of the source in the command that started the fetch.
  let span: Span
  /// nil while the fetch runs.
  private(set) var outcome: Result<Void, SourceError>?
  private let cancellation = Cancellation()

  private init(_ source: any DataSource, at span: Span) {
    self.source = source
    self.span = span
  }

  deinit { cancellation.cancel() }

  /// Starts a fetch. Without an actor that isolates the sources, waits until the fetch has ended.
  static func start(
    _ source: any DataSource, _ options: FetchOptions, at span: Span,
    progress: Progress, listener: ((TranscriptEntry) -> Void)?,
    isolation: isolated (any Actor)? = #isolation
  ) async -> BackgroundFetch {
    let fetch = BackgroundFetch(source, at: span)
    let cancellation = fetch.cancellation
    guard isolation != nil else {
      fetch.outcome = await source.outcome(
        of: options, cancellation: cancellation, progress: progress, listener: listener)
      return fetch
    }
    // A strong reference would keep the fetch running after the session has released it.
    Task { [weak fetch] in
      // A closure runs in the isolation only if it uses `isolation`.
      _ = isolation
      let outcome = await withTaskExecutorPreference(DeterministicExecutor.current) {
        _ = isolation
        return await source.outcome(
          of: options, cancellation: cancellation, progress: progress, listener: listener)
      }
      fetch?.outcome = outcome
    }
    // Lets the task start, so that the source is fetching when this returns.
    while fetch.outcome == nil, !source.isFetching {
      await DeterministicExecutor.yield()
    }
    return fetch
  }

  /// Waits for the fetch to end. Canceling the wait cancels the fetch.
  func wait(_ cancellation: Cancellation) async {
    await AdjustableClock.current.wait {
      self.outcome != nil || cancellation.isCancelled
    }
    guard outcome == nil else { return }
    cancel()
    await AdjustableClock.current.wait { self.outcome != nil }
  }

  func cancel() {
    cancellation.cancel()
    source.cancelFetch()
  }
}

extension DataSource {
  fileprivate func outcome(
    of options: FetchOptions, cancellation: Cancellation, progress: Progress,
    listener: ((TranscriptEntry) -> Void)?
  ) async -> Result<Void, SourceError> {
    do {
      try await fetchData(
        options, cancellation: cancellation, progress: progress, listener: listener)
      return .success(())
    } catch {
      return .failure(SourceError(error))
    }
  }
}
