import DataSources
import DataTables

/// What a fetch does in addition to fetching a source and everything it wraps.
struct FetchDemand: Sendable {
  let takesAllPages: Bool
  let discardsEdits: Bool
}

extension DataSource {
  func fetch(
    _ demand: FetchDemand, cancellation: Cancellation?, progress: Progress,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws {
    if demand.takesAllPages {
      try await fetchAllPages(
        cancellation: cancellation, progress: progress, listener: listener)
    } else {
      try await fetchData(
        discardingEdits: demand.discardsEdits, cancellation: cancellation, progress: progress,
        listener: listener)
    }
  }
}

/// A fetch that runs while other commands do; it is canceled when its owner, the session, is deallocated.
final class BackgroundFetch {
  let source: any DataSource
  /// The source in the command that started it.
  let span: Span
  /// nil while it runs.
  private(set) var outcome: Result<Void, SourceError>?
  private let cancellation = Cancellation()

  private init(_ source: any DataSource, at span: Span) {
    self.source = source
    self.span = span
  }

  deinit { cancellation.cancel() }

  /// Starts a fetch. Without an actor that confines the sources it has ended when this returns.
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
    // The task does not own the fetch, which ends with the session.
    Task { [weak fetch] in
      // Naming the isolation makes it that of the task, which would otherwise have none.
      _ = isolation
      let outcome = await source.outcome(
        of: demand, cancellation: flag, progress: progress, listener: listener)
      fetch?.outcome = outcome
    }
    // Take its first steps now, so that the source is in the fetching state at once.
    while fetch.outcome == nil, !source.isFetching { await Task.yield() }
    return fetch
  }

  /// Waits for the end. Canceling the wait cancels the fetch.
  func wait(_ cancellation: Cancellation) async {
    // Polls, as a signal handler that raises the flag cannot wake a task.
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
