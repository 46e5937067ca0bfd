import DataSources
import DataTables

// The ways in which commands fetch sources. A function that returns a result returns what its
// command shows.
extension Session {
  /// The options of a fetch, as the settings of the session determine them.
  var fetchOptions: FetchOptions { FetchOptions(copyLimit: options.copyLimit, caches: caches) }

  /// The context of requests and comparisons outside of a fetch.
  var requestContext: RequestContext {
    RequestContext(
      cancellation: cancellation, progress: progress, copyLimit: options.copyLimit)
  }

  /// Fetches a source and everything it wraps, and waits for the fetch to end.
  /// - Throws: ``Diagnostic`` at `span`, with the reason and how to fix it.
  mutating func fetch(
    _ source: any DataSource, _ options: FetchOptions, at span: Span
  ) async throws -> CommandResult {
    try checkNoTransaction(at: span)
    do {
      try await source.fetchData(
        options, cancellation: cancellation, progress: progress, listener: eventListener)
    } catch {
      throw diagnostic(ofFetching: source, SourceError(error), at: span)
    }
    return await fetchedResult(source)
  }

  /// Fetches the next page of each source in `paginated`: `source` itself or sources below it. A page
  /// passes through the wrappers that delay or fail it.
  /// - Throws: ``Diagnostic`` at `span`, for the first source that fails.
  mutating func fetchNextPage(
    of paginated: [PaginatedSource], in source: any DataSource, at span: Span
  ) async throws -> CommandResult {
    try checkNoTransaction(at: span)
    var sources: [any PagedSource] = []
    for paginated in paginated {
      let paged = source.pagedSource(over: paginated)
      if !sources.contains(where: { $0 === paged }) { sources.append(paged) }
    }
    for paginated in sources {
      do {
        try await paginated.fetchNextPage(
          cancellation: cancellation, progress: progress, listener: eventListener)
      } catch {
        throw diagnostic(ofFetching: paginated, SourceError(error), at: span)
      }
    }
    return await fetchedResult(source)
  }

  /// Starts a fetch that runs while other commands do. `wait`, the prompt before the next command,
  /// or the end of the script reports its outcome.
  mutating func fetchInBackground(
    _ source: any DataSource, _ options: FetchOptions, at span: Span
  ) async throws -> CommandResult {
    try checkNoTransaction(at: span)
    // The session's progress belongs to the commands that run meanwhile.
    backgroundFetches.append(
      await BackgroundFetch.start(
        source, options, at: span, progress: Progress(clock: clock), listener: eventListener))
    let name = nameToShow(of: source)
    let report = Report(
      headline: "\(name): being fetched (wait \(name))",
      data: Record([("source", .string(name)), ("fetching", .bool(source.isFetching))]))
    return CommandResult(.source(source), Output(.report(report)))
  }

  /// Waits for the fetches of one source; returns the result that `fetch` would have returned.
  /// - Throws: ``Diagnostic`` at `span` when the last of them failed, or after the limit.
  mutating func waitForFetch(
    of source: any DataSource, at span: Span, limit: WaitLimit? = nil
  ) async throws -> CommandResult {
    if let limit {
      let fetches = backgroundFetches.filter { $0.source === source }
      try await wait(for: fetches, of: source, at: span, limit: limit)
    }
    let fetches = takeBackgroundFetches(of: source)
    for fetch in fetches { await fetch.wait(cancellation) }
    if source.isFetching { await source.waitForFetch(cancellation) }
    if let fetch = fetches.last {
      if case .failure(let error)? = fetch.outcome {
        throw diagnostic(ofFetching: source, error, at: span)
      }
    } else if let error = source.error {
      throw diagnostic(ofFetching: source, error, at: span)
    }
    return await fetchedResult(source)
  }

  /// Waits for all fetches in the background; returns a line for each.
  /// - Throws: ``Diagnostic`` of the first fetch that failed, with the others as its details;
  ///   `timeout` at `span` after the limit.
  mutating func waitForAllFetches(limit: WaitLimit?, at span: Span) async throws -> CommandResult {
    if let limit { try await wait(for: backgroundFetches, of: nil, at: span, limit: limit) }
    await waitForBackgroundFetches()
    var failures: [Diagnostic] = []
    var lines: [String] = []
    var warnings: [String] = []
    var sources: [Value] = []
    _ = try await reportEndedFetches { event, _ in
      switch event {
      case .failure(let diagnostic): failures.append(diagnostic)
      case .output(let output):
        guard case .report(let report) = output.content else { return }
        lines.append(report.headline)
        sources.append(.record(report.data))
        warnings += output.warnings
      }
    }
    if var first = failures.first {
      first.details = failures.dropFirst().map(\.message) + lines
      throw first
    }
    return CommandResult(.none, Output(.text(lines, data: .array(sources)), warnings: warnings))
  }

  /// Cancels the fetches of a source; their outcome is not reported.
  mutating func cancelFetches(of source: any DataSource) async {
    let fetches = takeBackgroundFetches(of: source)
    source.cancelFetch()
    for fetch in fetches { await fetch.wait(cancellation) }
    if source.isFetching { await source.waitForFetch(cancellation) }
  }

  /// Cancels the fetches of sources that no name reaches, because no command could cancel them.
  mutating func cancelUnnamedFetches() {
    let unnamed = backgroundFetches.filter { $0.outcome == nil && !isNamed($0.source) }
    for fetch in unnamed { fetch.cancel() }
    backgroundFetches.removeAll { fetch in unnamed.contains { $0 === fetch } }
  }

  /// Whether a name is bound to a source, or to a source that wraps it.
  private func isNamed(_ source: any DataSource) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var waiting = [source]
    while let next = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      if boundName(of: next) != nil { return true }
      waiting += next.state.wrappers
    }
    return false
  }
}

// The outcomes of fetches in the background.
extension Session {
  /// Waits for all fetches; cancellation ends them.
  func waitForBackgroundFetches() async {
    for fetch in backgroundFetches { await fetch.wait(cancellation) }
  }

  /// Advances a virtual clock. Fetches in the background continue meanwhile, and the changes of
  /// watched sources are read, which the next command shows.
  package mutating func advanceClock(by time: Duration) async {
    guard clock.isVirtual else { return }
    let end = clock.instant(after: time)
    // The changes were made before, so that one check of each monitor finds them.
    for check in monitors.nextChecks() where check < end {
      await clock.advance(until: check)
      await readOutsideChangesLater()
    }
    await clock.advance(until: end)
    await letBackgroundFetchesEnd()
    await readOutsideChangesLater()
  }

  /// Reads the changes of watched sources; failures are warnings of the next command.
  mutating func readOutsideChangesLater() async {
    do {
      earlierWarnings += try await readOutsideChanges().flatMap(refreshWarnings)
    } catch {
      let error = SourceError(error)
      // A flag that is raised ends the next command too.
      if !error.isCancelled { earlierWarnings.append(error.message) }
    }
  }

  /// Lets fetches end if their responses have arrived.
  func letBackgroundFetchesEnd() async {
    guard !backgroundFetches.isEmpty else { return }
    if let executor = DeterministicExecutor.current { return await executor.settle() }
    // Each of them, and its wrappers, needs a few turns on the actor.
    for _ in 0..<64 where backgroundFetches.contains(where: { $0.outcome == nil }) {
      await Task.yield()
    }
  }

  /// Reports the ended fetches that were not reported, in the order in which they started.
  /// - Returns: whether all of them succeeded.
  mutating func reportEndedFetches(
    _ handle: ScriptExecution.EventHandler
  ) async throws -> Bool {
    var haveSucceeded = true
    while let index = backgroundFetches.firstIndex(where: { $0.outcome != nil }) {
      let fetch = backgroundFetches.remove(at: index)
      switch fetch.outcome {
      case .failure(let error):
        haveSucceeded = false
        let diagnostic = diagnostic(ofFetching: fetch.source, error, at: fetch.span)
        try await handle(.failure(diagnostic), self)
      default:
        var output = await fetchedResult(fetch.source).output
        output.changes = try await takeWatchedChanges()
        output.warnings += takeWarnings() + newRowNotes() + newTypeChangeWarnings()
        try await handle(.output(output), self)
      }
    }
    return haveSucceeded
  }

  /// Removes the unreported fetches of a source; the caller reports them.
  private mutating func takeBackgroundFetches(of source: any DataSource) -> [BackgroundFetch] {
    let taken = backgroundFetches.filter { $0.source === source }
    backgroundFetches.removeAll { $0.source === source }
    return taken
  }
}

// The output of a fetch.
extension Session {
  /// The counts of a source that was fetched, and its warnings.
  mutating func fetchedResult(_ source: any DataSource) async -> CommandResult {
    var warnings = readingNotes(of: source) + childWarnings(of: source)
    warnings += await lint(source)
    warnings += followerWarnings(of: source)
    warnings += caches.takeProblems()
    return CommandResult(.source(source), Output(.report(status(of: source)), warnings: warnings))
  }

  /// Notes about the rows in the responses to a source.
  private func readingNotes(of source: any DataSource) -> [String] {
    guard let source = source as? any RequestingSource else { return [] }
    let name = nameToShow(of: source)
    // `_` is the source without a name until the next command.
    let bound = boundName(of: source) ?? pendingName ?? "_"
    return LoadSummary(source, name: bound).rowNotes.map { "\(name): \($0.text)" }
  }

  /// Notes about the rows and values that a file has lost or had filled since it was last read, once
  /// for each change, as a load reports them.
  mutating func newRowNotes() -> [String] {
    loaded.removeAll { $0.source == nil }
    return loaded.compactMap { $0.source as? SimpleSource }.flatMap { source -> [String] in
      guard let findings = source.takeNewFindings() else { return [] }
      let name = displayName(of: source)
      return LoadSummary.notes(onRowsIn: findings, of: name).map { "\(name): \($0)" }
    }
  }

  /// A warning for each wrapper that could not be updated after a fetch or an edit of a source.
  func followerWarnings(of source: any DataSource) -> [String] {
    source.followers.compactMap { outdatedWarning(of: $0) }
  }

  /// The warning about a source whose last fetch or update failed; nil for another one.
  func outdatedWarning(of source: any DataSource) -> String? {
    guard let error = source.state.error else { return nil }
    let old = source.state.snapshot == nil ? "" : "; it shows its old content"
    return "\(displayName(of: source)) could not be updated: "
      + message(of: error, fetching: source) + old
  }
}
