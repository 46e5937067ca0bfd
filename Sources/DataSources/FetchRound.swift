import DataTables

/// One call of ``DataSource/fetchData(_:cancellation:progress:listener:)``, or one edit, with all
/// sources that it reaches.
final class FetchRound {
  struct Entry {
    // Weak, because the state of the source keeps the entries.
    let source: WeakSource
    let event: SourceEvent
    let sections: Int
    let objects: Int
    /// The children that failed in a finished fetch.
    var failures: [ChildOutcome] = []
    let time = ContinuousClock.now
  }

  /// A class, so that all sources of a round share one log.
  final class EventLog {
    fileprivate(set) var entries: [Entry] = []
  }

  let progress: Progress
  let options: FetchOptions
  private let root: any DataSource
  private let listener: ((TranscriptEntry) -> Void)?
  private lazy var depths = SourceGraph.depths(below: root)
  private let log = EventLog()
  private var results: [ObjectIdentifier: Result<Snapshot, SourceError>] = [:]
  /// The sources with results. Keeping them alive keeps their identifiers unique.
  private var reached: [any DataSource] = []
  /// Whether wrappers follow sources that were fetched or edited, with the settings of their last
  /// fetch.
  private(set) var isUpdatingWrappers = false
  private(set) var isPreview = false
  /// Whether the round is an edit.
  private let isEdit: Bool
  /// The object that is shown again, if that is the purpose of the round.
  var refreshed: RefreshedObject?

  /// - Parameter listener: receives all events, with depths below `root`.
  init(
    from root: any DataSource, _ options: FetchOptions = FetchOptions(), isEdit: Bool = false,
    progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) {
    self.root = root
    self.isEdit = isEdit
    self.options = options
    self.progress = progress
    self.listener = listener
  }

  /// The content of a child for the fetch of its parent; fetches the child if necessary.
  func snapshot(
    of source: any DataSource, cancellation: Cancellation
  ) async -> Result<Snapshot, SourceError> {
    if let result = results[ObjectIdentifier(source)] {
      // While this round waited for a wrapper, another fetch may have produced newer content.
      return isUpdatingWrappers ? current(source) : result
    }
    while source.state.isFetching {
      let exceeds = options.exceed(source.state.options)
      await source.state.waitForEnd()
      if !exceeds || isUpdatingWrappers || cancellation.isCancelled {
        return keep(current(source), of: source)
      }
    }
    // An update of a wrapper does not fetch the children that this round has not reached.
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

  /// Begins the fetch of a child, which ``run(_:_:)`` continues; returns nil when the child needs
  /// no fetch.
  func begin(_ source: any DataSource, cancellation: Cancellation) -> Cancellation? {
    let isNeeded =
      results[ObjectIdentifier(source)] == nil && !source.state.isFetching && !isUpdatingWrappers
    return isNeeded ? start(source, cancellation: cancellation) : nil
  }

  private func start(_ source: any DataSource, cancellation: Cancellation) -> Cancellation {
    let flag = Cancellation(parent: cancellation)
    source.state.begin(flag, options)
    report(.will, of: source)
    return flag
  }

  /// Completes a fetch that has begun.
  func run(
    _ source: any DataSource, _ flag: Cancellation
  ) async -> Result<Snapshot, SourceError> {
    let result: Result<Snapshot, SourceError>
    do {
      try flag.check()
      let snapshot = try await source.makeSnapshot(
        Fetch(self, of: source, cancellation: flag))
      // Drop content that arrives after a cancellation.
      try flag.check()
      result = .success(snapshot)
    } catch {
      result = .failure(SourceError(error))
    }
    return await finish(source, result)
  }

  /// Replaces the contents of edited sources and updates the wrappers.
  ///
  /// - Parameter outer: edited sources above others, whose contents follow from those below them.
  func show(
    _ contents: [(source: any DataSource, snapshot: Snapshot)], then outer: [any EditedSource] = [],
    cancellation: Cancellation
  ) async {
    for (source, snapshot) in contents {
      source.state.begin(Cancellation(parent: cancellation), isFetch: false)
      report(.will, of: source)
      await finish(source, .success(snapshot))
    }
    await updateWrappers(of: outer, cancellation: cancellation)
  }

  private func update(_ owner: any EditedSource, cancellation: Cancellation) async {
    while owner.isFetching { await owner.state.waitForEnd() }
    owner.state.begin(Cancellation(parent: cancellation), isFetch: false)
    report(.will, of: owner)
    do {
      await finish(owner, .success(try await owner.editedContent(cancellation: cancellation)))
    } catch {
      await finish(owner, .failure(SourceError(error)))
    }
  }

  /// The content that a wrapper would have after an update; reports no events.
  func preview(_ source: any DataSource, cancellation: Cancellation) async throws -> Snapshot {
    isUpdatingWrappers = true
    isPreview = true
    return try await source.makeSnapshot(Fetch(self, of: source, cancellation: cancellation))
  }

  /// Stores the outcome of a fetch or an edit, and reports it.
  @discardableResult
  private func finish(
    _ source: any DataSource, _ result: Result<Snapshot, SourceError>
  ) async -> Result<Snapshot, SourceError> {
    let refreshes = refreshed?.changes(of: source) ?? []
    let hasChanged =
      if refreshed != nil {
        !refreshes.isEmpty
      } else {
        isEdit ? await hasChanged(source, result) : false
      }
    let error = source.error
    source.state.end(result)
    // An object that is shown again does not end the failure of the last fetch.
    if refreshed != nil { source.state.error = error }
    source.state.refreshes = refreshes
    keep(result, of: source)
    switch result {
    case .success:
      if hasChanged { report(.changes, of: source) }
      report(.finished, of: source)
    case .failure(let error): report(.failed(error), of: source)
    }
    source.state.resumeWaiters()
    return result
  }

  /// Whether an edit changed the content of a source. Only contents of different tables are compared
  /// object by object.
  private func hasChanged(
    _ source: any DataSource, _ result: Result<Snapshot, SourceError>
  ) async -> Bool {
    guard case .success(let new) = result else { return false }
    guard let old = source.state.snapshot else { return true }
    if let isSame = try? old.hasSameObjects(as: new) { return !isSame }
    return (try? await source.changes(from: old, to: new).isEmpty) != true
  }

  @discardableResult
  private func keep(
    _ result: Result<Snapshot, SourceError>, of source: any DataSource
  ) -> Result<Snapshot, SourceError> {
    results[ObjectIdentifier(source)] = result
    reached.append(source)
    return result
  }

  /// Updates the wrappers of the reached sources, inner ones first.
  ///
  /// Skips a wrapper that was never fetched or does not follow its children. Also skips a wrapper
  /// whose children were not updated, because its content would not change.
  ///
  /// - Parameter owners: edited sources, to update like wrappers.
  func updateWrappers(of owners: [any EditedSource] = [], cancellation: Cancellation) async {
    isUpdatingWrappers = true
    for wrapper in SourceGraph.wrappers(above: reached + owners)
    where results[ObjectIdentifier(wrapper)] == nil {
      if let owner = owners.first(where: { $0 === wrapper }) {
        await update(owner, cancellation: cancellation)
        continue
      }
      guard wrapper.followsEdits,
        wrapper.children.contains(where: { results[ObjectIdentifier($0)] != nil })
      else { continue }
      // Wait for an earlier fetch, then fetch again: the earlier one may have read the old content.
      while wrapper.isFetching { await wrapper.state.waitForEnd() }
      if refreshed != nil {
        await refresh(wrapper, cancellation: cancellation)
        continue
      }
      _ = await fetch(wrapper, cancellation: cancellation)
    }
  }

  /// Shows an object of a wrapper again, without changing its content. A wrapper with outdated
  /// content does not show it.
  private func refresh(_ wrapper: any DataSource, cancellation: Cancellation) async {
    guard let snapshot = wrapper.state.snapshot, wrapper.error == nil else { return }
    _ = start(wrapper, cancellation: cancellation)
    // A copy, because the search may suspend.
    var object = refreshed
    await object?.locate(in: snapshot, of: wrapper)
    refreshed = object
    await finish(wrapper, .success(snapshot))
  }

  /// Reports that a part of a source's fetch has arrived. An edit reports no `partial` events,
  /// because the content below is ready.
  func reportPartial(_ part: SourceEvent.Part?, of source: any DataSource) {
    if !isEdit { report(.partial(part), of: source) }
  }

  /// Logs an event and sends it to the listener and the delegates.
  private func report(_ event: SourceEvent, of source: any DataSource) {
    var sections = 0
    var objects = 0
    var failures: [ChildOutcome] = []
    if case .finished = event {
      sections = source.numberOfSections
      objects = source.numberOfObjects
      failures = source.state.snapshot?.failures ?? []
    }
    let entry = Entry(
      source: WeakSource(source: source), event: event, sections: sections, objects: objects,
      failures: failures)
    log.entries.append(entry)
    // A source may have new children since its fetch began.
    if !isUpdatingWrappers, depths[ObjectIdentifier(source)] == nil {
      depths = SourceGraph.depths(below: root)
    }
    listener?(
      TranscriptEntry(
        source: source, depth: depths[ObjectIdentifier(source)] ?? 0, event: event,
        sections: sections, objects: objects, failures: failures, time: entry.time))
    // The log may also have events of sources that are not below this one; its transcript skips
    // them.
    source.state.eventLog = log
    source.state.send(event, of: source)
  }
}
