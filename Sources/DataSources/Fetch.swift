public import DataTables

extension DataSource {
  /// Fetches the source and all sources below it, then updates those of their wrappers that were
  /// fetched before and follow their children.
  ///
  /// A call during a fetch joins that fetch and shares its outcome, unless the fetch is canceled with
  /// that of a wrapper; then the call starts its own. A fetch that fails or is
  /// canceled keeps the old content. A call for all pages does not join a fetch of fewer pages; it
  /// starts its own afterwards.
  /// - Parameters:
  ///   - options: what paginated sources, edited files and databases below should do.
  ///   - cancellation: cancels the fetch when raised; ``cancelFetch()`` and canceling the task do
  ///     the same.
  ///   - progress: receives the progress of the fetch.
  ///   - listener: receives every event of all sources that the fetch reaches, as it happens; not
  ///     called when the call only joins another fetch.
  /// - Throws: ``SourceError``, which is then also the value of ``error``.
  public func fetchData(
    _ options: FetchOptions = FetchOptions(), cancellation: Cancellation? = nil,
    progress: Progress = Progress(), listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws {
    while isFetching {
      let exceeds = options.exceed(state.options)
      let flag = state.cancellation
      await waitForFetch(cancellation)
      if !(exceeds || state.wasAbandoned(flag)) || cancellation?.isCancelled == true
        || Task.isCancelled
      {
        if let error { throw error }
        return
      }
    }
    let flag = Cancellation(parent: cancellation)
    let round = FetchRound(
      from: self, options, progress: progress, listener: listener)
    let result = await flag.followingTask {
      let result = await round.fetch(self, cancellation: flag)
      await round.updateWrappers(cancellation: flag)
      return result
    }
    _ = try result.get()
  }

  /// Waits for the end of the current fetch, if any.
  /// - Parameter cancellation: cancels the fetch when raised.
  package func waitForFetch(_ cancellation: Cancellation? = nil) async {
    await state.waitForEnd(cancellation)
    guard isFetching else { return }
    cancelFetch()
    await state.waitForEnd()
  }

  /// Cancels the current fetch, if any; the fetch then fails with `cancelled`.
  public func cancelFetch() { state.cancel() }

  /// Makes the source follow its children. Call it once, at the end of a wrapper's initializer.
  public func listenToChildren() {
    var seen: Set<ObjectIdentifier> = []
    for child in children where seen.insert(ObjectIdentifier(child)).inserted {
      child.state.add(wrapper: self)
    }
  }
}

/// The part of a fetch that concerns one source. A fetch reaches many sources and fetches each at
/// most once.
public final class Fetch {
  /// Raised when the fetch of this source, or the whole fetch, is canceled.
  public let cancellation: Cancellation
  public var options: FetchOptions { round.options }
  /// Whether the source follows a source below that was fetched or edited, instead of being fetched
  /// itself.
  public var isUpdate: Bool { round.isUpdatingWrappers }
  /// Whether the content may not be shown later, so that nothing but the result must change.
  var isPreview: Bool { round.isPreview }
  /// The content that the fetch replaces; nil without one.
  public var previous: Snapshot? { source.state.snapshot }
  /// Receives the progress of the work.
  public var progress: Progress { round.progress }
  /// The context of requests to the content below.
  public var context: RequestContext {
    var context = RequestContext(
      cancellation: cancellation, progress: progress, copyLimit: options.copyLimit)
    // An update makes the content by the plan of the content before, unless that is an earlier one.
    if isUpdate, !source.showsEarlierContent { context.previous = previous }
    return context
  }
  let round: FetchRound
  private let source: any DataSource

  init(_ round: FetchRound, of source: any DataSource, cancellation: Cancellation) {
    self.round = round
    self.source = source
    self.cancellation = cancellation
  }

  /// Fetches a child and returns its content.
  /// - Throws: ``SourceError``, the error of the child's fetch.
  public func snapshot(of child: any DataSource) async throws -> Snapshot {
    try await round.snapshot(of: child, cancellation: cancellation).get()
  }

  /// Reports that a part of the content has arrived.
  public func partial(_ part: SourceEvent.Part? = nil) { round.reportPartial(part, of: source) }

  /// Fetches all children and returns their contents in the order of the children, regardless of
  /// the order in which they end. Reports a `partial` when a child ends, except for the last child.
  ///
  /// Children that wait for a server (see ``DataSource/fetchesSynchronously``) are fetched
  /// concurrently if the sources are confined to an actor, which runs their steps in turn. All
  /// others are fetched one after another, so that the same fetch always reports the same events.
  /// A child that another fetch has read again meanwhile has its newer content.
  public func childSnapshots(
    isolation: isolated (any Actor)? = #isolation
  ) async -> [Result<Snapshot, SourceError>] {
    let results = ChildResults(of: source, in: round)
    var tasks: [Task<Void, Never>] = []
    for (index, child) in results.children.enumerated() {
      if isolation == nil || SourceGraph.fetchesSynchronously(child) {
        results.add(await round.snapshot(of: child, cancellation: cancellation), from: index)
        continue
      }
      // Begin outside of the task, so that the `will` events follow the order of the children.
      let flag = round.begin(child, cancellation: cancellation)
      tasks.append(
        Task { [round, cancellation] in
          // Each closure must capture the isolation to run in it rather than outside, where the
          // children would change the state of the round on several threads at once.
          _ = isolation
          await withTaskExecutorPreference(DeterministicExecutor.current) {
            _ = isolation
            let result =
              if let flag {
                await round.run(child, flag)
              } else {
                await round.snapshot(of: child, cancellation: cancellation)
              }
            results.add(result, from: index)
          }
        })
    }
    for task in tasks { await task.value }
    return zip(results.children, results.all).map(round.latest)
  }
}

/// The results that the children of a source have returned so far.
private final class ChildResults {
  private let source: any DataSource
  let children: [any DataSource]
  private let round: FetchRound
  private var results: [Result<Snapshot, SourceError>?]
  private var missing: Int

  init(of source: any DataSource, in round: FetchRound) {
    self.source = source
    self.round = round
    children = source.children
    missing = children.count
    results = Array(repeating: nil, count: missing)
  }

  var all: [Result<Snapshot, SourceError>] { results.map { $0 ?? .failure(.notFetched) } }

  func add(_ result: Result<Snapshot, SourceError>, from index: Int) {
    if results[index] == nil { missing -= 1 }
    results[index] = result
    guard missing > 0 else { return }
    var error: SourceError?
    if case .failure(let failure) = result { error = failure }
    let outcome = ChildOutcome(index: index, name: children[index].name, error: error)
    round.reportPartial(.child(outcome), of: source)
  }
}
