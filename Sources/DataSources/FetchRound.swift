import DataTables

/// All that one call of ``DataSource/fetchData(cancellation:)``, or one edit, reaches.
final class FetchRound {
  struct Entry {
    // Weak, as the entries are kept in the state of the source itself.
    let source: WeakSource
    let event: SourceEvent
    let sections: Int
    let objects: Int
    /// Of a finished fetch, the children that failed.
    var failures: [ChildAnswer] = []
  }

  let progress: Progress
  let demand: PageSelection
  private let root: any DataSource
  private let listener: ((TranscriptEntry) -> Void)?
  private lazy var depths = SourceGraph.depths(below: root)

  /// Shared, so that each source has it to its end without a copy.
  final class Log {
    fileprivate(set) var entries: [Entry] = []
  }

  private let log = Log()
  private var results: [ObjectIdentifier: Result<Snapshot, SourceError>] = [:]
  /// Those with results, kept alive so that none of their identifiers comes again.
  private var reached: [any DataSource] = []
  private var isUpdatingWrappers = false
  /// Whether an edit began it, and no call.
  private let isEdit: Bool

  /// - Parameter listener: hears all events, with depths below `root`.
  init(
    from root: any DataSource, isEdit: Bool = false, demand: PageSelection = .firstPage,
    progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) {
    self.root = root
    self.isEdit = isEdit
    self.demand = demand
    self.progress = progress
    self.listener = listener
  }

  /// The content of a source that is wrapped by the one that is being fetched.
  func snapshot(
    of source: any DataSource, cancellation: Cancellation
  ) async -> Result<Snapshot, SourceError> {
    if let result = results[ObjectIdentifier(source)] {
      // A wrapper may have been waited for while another fetch brought newer content.
      return isUpdatingWrappers ? current(source) : result
    }
    while source.state.isFetching {
      let isMore = demand.isMore(than: source.state.demand)
      await source.state.waitForEnd()
      if !isMore || isUpdatingWrappers || cancellation.isCancelled {
        return keep(current(source), of: source)
      }
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
    await run(source, start(source, cancellation: cancellation))
  }

  /// Begins the fetch of a child that is run at once; nil when it needs none.
  func begin(_ source: any DataSource, cancellation: Cancellation) -> Cancellation? {
    let isNeeded =
      results[ObjectIdentifier(source)] == nil && !source.state.isFetching && !isUpdatingWrappers
    return isNeeded ? start(source, cancellation: cancellation) : nil
  }

  private func start(_ source: any DataSource, cancellation: Cancellation) -> Cancellation {
    let flag = Cancellation(parent: cancellation)
    source.state.begin(flag, demand)
    note(.will, of: source)
    return flag
  }

  /// Runs a fetch that was begun, to its end.
  func run(
    _ source: any DataSource, _ flag: Cancellation
  ) async -> Result<Snapshot, SourceError> {
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
    return finish(source, result)
  }

  /// Takes the outcome of a fetch or an edit, and tells it.
  @discardableResult
  func finish(
    _ source: any DataSource, _ result: Result<Snapshot, SourceError>
  ) -> Result<Snapshot, SourceError> {
    source.state.end(result)
    keep(result, of: source)
    switch result {
    case .success:
      if isEdit { note(.changes, of: source) }
      note(.finished, of: source)
    case .failure(let error): note(.failed(error), of: source)
    }
    source.state.wake()
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

  /// Updates the sources that wrap what was fetched and were fetched before, inner ones first. What
  /// wraps only one that does not follow has nothing new to take.
  func updateWrappers(cancellation: Cancellation) async {
    isUpdatingWrappers = true
    for wrapper in SourceGraph.wrappers(above: reached)
    where results[ObjectIdentifier(wrapper)] == nil && wrapper.state.wasFetched
      && wrapper.followsChildren
      && wrapper.children.contains(where: { results[ObjectIdentifier($0)] != nil })
    {
      // A fetch that began before may have taken the old content.
      while wrapper.isFetching { await wrapper.state.waitForEnd() }
      _ = await fetch(wrapper, cancellation: cancellation)
    }
  }

  /// Writes an event down and tells it.
  func note(_ event: SourceEvent, of source: any DataSource) {
    var sections = 0
    var objects = 0
    var failures: [ChildAnswer] = []
    if case .finished = event {
      sections = source.numberOfSections
      objects = source.numberOfObjects
      failures = source.state.snapshot?.failures ?? []
    }
    log.entries.append(
      Entry(
        source: WeakSource(source: source), event: event, sections: sections, objects: objects,
        failures: failures))
    listener?(
      TranscriptEntry(
        source: source, depth: depths[ObjectIdentifier(source)] ?? 0, event: event,
        sections: sections, objects: objects, failures: failures))
    // The transcript leaves out what is not below the source.
    source.state.heard = log
    source.state.tell(event, of: source)
  }
}
