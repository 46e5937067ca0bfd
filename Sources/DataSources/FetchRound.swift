import DataTables

/// All that one call of ``DataSource/fetchData(cancellation:)`` reaches.
final class FetchRound {
  struct Entry {
    // Weak, as the entries are kept in the state of the source itself.
    let source: WeakSource
    let event: SourceEvent
    let sections: Int
    let objects: Int
  }

  /// Shared, so that each source has it to its end without a copy.
  final class Log {
    fileprivate(set) var entries: [Entry] = []
  }

  private let log = Log()
  private var results: [ObjectIdentifier: Result<Snapshot, SourceError>] = [:]
  /// Those with results, kept alive so that none of their identifiers comes again.
  private var reached: [any DataSource] = []
  private var isUpdatingWrappers = false

  /// The content of a source that is wrapped by the one that is being fetched.
  func snapshot(
    of source: any DataSource, cancellation: Cancellation
  ) async -> Result<Snapshot, SourceError> {
    if let result = results[ObjectIdentifier(source)] { return result }
    if source.state.isFetching {
      await source.state.waitForEnd()
      return keep(current(source), of: source)
    }
    // A wrapper is updated because some of what it wraps was; the others are not asked again.
    if isUpdatingWrappers { return current(source) }
    return await fetch(source, cancellation: cancellation)
  }

  private func current(_ source: any DataSource) -> Result<Snapshot, SourceError> {
    if let error = source.state.error { return .failure(error) }
    return source.state.snapshot.map { .success($0) } ?? .failure(.notFetched)
  }

  func fetch(
    _ source: any DataSource, cancellation: Cancellation
  ) async -> Result<Snapshot, SourceError> {
    let flag = Cancellation(parent: cancellation)
    let state = source.state
    state.begin(flag)
    note(.will, of: source)
    let result: Result<Snapshot, SourceError>
    do {
      try flag.check()
      let snapshot = try await source.makeSnapshot(
        Fetch(self, of: source, cancellation: flag))
      // What comes after a cancellation is not taken.
      try flag.check()
      result = .success(snapshot)
    } catch {
      result = .failure(SourceError(error))
    }
    state.end(result)
    keep(result, of: source)
    switch result {
    case .success: note(.finished, of: source)
    case .failure(let error): note(.failed(error), of: source)
    }
    state.wake()
    return result
  }

  @discardableResult
  private func keep(
    _ result: Result<Snapshot, SourceError>, of source: any DataSource
  ) -> Result<Snapshot, SourceError> {
    results[ObjectIdentifier(source)] = result
    reached.append(source)
    return result
  }

  /// Updates the sources that wrap what was fetched and were fetched before, inner ones first.
  func updateWrappers(cancellation: Cancellation) async {
    isUpdatingWrappers = true
    for wrapper in SourceGraph.wrappers(above: reached)
    where results[ObjectIdentifier(wrapper)] == nil && wrapper.state.wasFetched {
      // A fetch that began before may have taken the old content.
      while wrapper.isFetching { await wrapper.state.waitForEnd() }
      _ = await fetch(wrapper, cancellation: cancellation)
    }
  }

  /// Writes an event down and tells it.
  func note(_ event: SourceEvent, of source: any DataSource) {
    var sections = 0
    var objects = 0
    if case .finished = event {
      sections = source.numberOfSections
      objects = source.numberOfObjects
    }
    log.entries.append(
      Entry(
        source: WeakSource(source: source), event: event, sections: sections, objects: objects))
    // The transcript leaves out what is not below the source.
    source.state.heard = log
    source.state.tell(event, of: source)
  }
}
