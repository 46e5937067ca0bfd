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
  /// The ``SourceState/endedRounds`` of the sources with results, when the result was kept.
  private var endedRounds: [ObjectIdentifier: Int] = [:]
  /// The sources with results. Keeping them alive keeps their identifiers unique.
  private var reached: [any DataSource] = []
  /// Whether wrappers follow sources that were fetched or edited, with the settings of their last
  /// fetch.
  private(set) var isUpdatingWrappers = false
  private(set) var isPreview = false
  /// Whether the round is an edit.
  private let isEdit: Bool
  private let cause: ContentCause
  /// The number of the kept content of the root, if the purpose of the round is to show it again.
  var shownAgain: Int?
  /// The object that is shown again, if that is the purpose of the round.
  var refreshed: RefreshedObject?

  /// - Parameters:
  ///   - cause: of the contents that the sources receive; nil for a fetch.
  ///   - listener: receives all events, with depths below `root`.
  init(
    from root: any DataSource, _ options: FetchOptions = FetchOptions(), isEdit: Bool = false,
    cause: ContentCause? = nil, progress: Progress = Progress(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) {
    self.root = root
    self.isEdit = isEdit
    self.cause = cause ?? ContentCause(options, isEdit: isEdit)
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
      let flag = source.state.cancellation
      await source.state.waitForEnd(cancellation)
      let isAbandoned = source.state.wasAbandoned(flag)
      if !(exceeds || isAbandoned) || isUpdatingWrappers || cancellation.isCancelled {
        return keep(current(source), of: source)
      }
    }
    // An update of a wrapper does not fetch the children that this round has not reached.
    if isUpdatingWrappers || isWithoutPages(source) { return current(source) }
    return await fetch(source, cancellation: cancellation)
  }

  /// Whether a fetch of the next pages keeps the content of a source, because no source at or below it
  /// has another page.
  private func isWithoutPages(_ source: any DataSource) -> Bool {
    options.pages == .next && source.state.snapshot != nil && !source.hasMorePages
  }

  private func current(_ source: any DataSource) -> Result<Snapshot, SourceError> {
    if let error = source.state.error, !showsAgain(source) { return .failure(error) }
    return source.state.snapshot.map { .success($0) } ?? .failure(.notFetched)
  }

  /// The content of a child that the round has fetched, or the newer one that another fetch has read
  /// since: a wrapper of both must not show them from different times, and would be fetched again.
  func latest(
    _ child: any DataSource, _ result: Result<Snapshot, SourceError>
  ) -> Result<Snapshot, SourceError> {
    let isLatest = endedRounds[ObjectIdentifier(child)] == child.state.endedRounds
    guard !isUpdatingWrappers, !isLatest, child.error == nil, let newer = child.state.snapshot
    else { return result }
    return keep(.success(newer), of: child)
  }

  /// Whether the round shows a kept content of a source, or what follows from it: that is up to date
  /// with the sources below even if their last fetch failed.
  private func showsAgain(_ source: any DataSource) -> Bool {
    guard shownAgain != nil, case .success = results[ObjectIdentifier(source)] else { return false }
    return true
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
      && !isWithoutPages(source)
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
    // A real file or server may take long, but in tests responses often come at once.
    await DeterministicExecutor.takeTurns()
    var result: Result<Snapshot, SourceError>
    do {
      try flag.check()
      result = .success(
        try await source.makeSnapshot(Fetch(self, of: source, cancellation: flag)))
    } catch {
      result = .failure(SourceError(error))
    }
    await DeterministicExecutor.takeTurns()
    // Drop content that arrives after a cancellation.
    if case .success = result, flag.isCancelled {
      result = .failure(SourceError(TableError.cancelled))
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
    await endFetch(of: owner, cancellation)
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
    source.state.readRounds = source.children.reduce(into: [:]) {
      $0[ObjectIdentifier($1)] = endedRounds[ObjectIdentifier($1)]
    }
    source.state.end(
      result, await origin(ofContentOf: source, result, hasChanged: hasChanged))
    // An object that is shown again does not end the failure of the last fetch.
    if refreshed != nil { source.state.error = error }
    keep(result, of: source)
    // As after the failed fetch, a wrapper has the error of the sources below, but no older content.
    if source !== root, showsAgain(source), let failure = source.children.first?.error,
      source.children.allSatisfy({ $0.error != nil })
    {
      source.state.markOutdated(by: failure)
    }
    source.state.refreshes = refreshes
    switch result {
    case .success:
      if hasChanged { report(.changes, of: source) }
      report(.finished, of: source)
    case .failure(let error): report(.failed(error), of: source)
    }
    return result
  }

  private func origin(
    ofContentOf source: any DataSource, _ result: Result<Snapshot, SourceError>, hasChanged: Bool
  ) async -> ContentOrigin {
    if refreshed != nil { return .same }
    if let shownAgain, source === root { return .kept(shownAgain) }
    if isEdit, await !isNew(result, of: source, hasChanged: hasChanged) { return .unchanged }
    let isFetch = !isEdit && !isUpdatingWrappers
    return .new(isFetch && source.state.hasNewSettings ? .set : cause)
  }

  /// Whether an edit changed the content of a source. Only contents of different tables are compared
  /// object by object.
  private func hasChanged(
    _ source: any DataSource, _ result: Result<Snapshot, SourceError>
  ) async -> Bool {
    guard case .success(let new) = result else { return false }
    return await differs(new, from: source.state.snapshot, source)
  }

  /// Whether the content after an edit differs from the latest one, which may not be the one that the
  /// source shows.
  private func isNew(
    _ result: Result<Snapshot, SourceError>, of source: any DataSource, hasChanged: Bool
  ) async -> Bool {
    guard source.showsEarlierContent, case .success(let new) = result
    else { return hasChanged }
    return await differs(new, from: source.state.latestSnapshot, source)
  }

  private func differs(
    _ new: Snapshot, from old: Snapshot?, _ source: any DataSource
  ) async -> Bool {
    guard let old else { return true }
    if let isSame = try? old.hasSameObjects(as: new) { return !isSame }
    return (try? await source.changes(from: old, to: new).isEmpty) != true
  }

  @discardableResult
  private func keep(
    _ result: Result<Snapshot, SourceError>, of source: any DataSource
  ) -> Result<Snapshot, SourceError> {
    results[ObjectIdentifier(source)] = result
    endedRounds[ObjectIdentifier(source)] = source.state.endedRounds
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
      // Wait for another fetch, and fetch again only if it has read older content. Otherwise a command
      // that waited for the other fetch would find the wrapper in the middle of this one.
      await endFetch(of: wrapper, cancellation)
      if refreshed == nil, shownAgain == nil, hasReadLatest(wrapper) { continue }
      if refreshed != nil {
        await refresh(wrapper, cancellation: cancellation)
        continue
      }
      _ = await fetch(wrapper, cancellation: cancellation)
    }
  }

  /// Waits for the end of another fetch, which a cancellation also cancels: it may wait for hours.
  private func endFetch(of source: any DataSource, _ cancellation: Cancellation) async {
    while source.isFetching {
      if cancellation.isCancelled { source.cancelFetch() }
      // After the cancellation, the fetch ends soon.
      await source.state.waitForEnd(cancellation.isCancelled ? nil : cancellation)
    }
  }

  /// Whether the content of a wrapper was made from the latest contents of its children.
  private func hasReadLatest(_ wrapper: any DataSource) -> Bool {
    wrapper.children.allSatisfy {
      wrapper.state.readRounds[ObjectIdentifier($0)] == $0.state.endedRounds
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
