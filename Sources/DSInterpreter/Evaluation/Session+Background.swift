import DataSources
import DataTables

// Fetches that go on while other commands run. Their outcome is told by `wait`, at the prompt with
// the next command, or at the end of a script, which waits for them.
extension Session {
  mutating func fetchInBackground(
    _ source: any DataSource, _ demand: FetchDemand, at span: Span
  ) async {
    // Not the session's: the commands that run meanwhile tell how far they are.
    background.append(
      await BackgroundFetch.start(
        source, demand, at: span, progress: Progress(clock: clock), listener: eventListener))
  }

  /// That a fetch goes on.
  func fetchingResult(_ source: any DataSource) -> CommandResult {
    let name = nameToShow(of: source)
    let report = Report(
      headline: "\(name): being fetched (wait \(name))",
      data: Record([("source", .string(name)), ("fetching", .bool(source.isFetching))]))
    return CommandResult(.source(source), Output(.report(report)))
  }

  /// Lets the fetches that have what they waited for come to their end.
  func settleBackground() async {
    guard !background.isEmpty else { return }
    // Each of them, and what wraps it, takes a few turns on the actor.
    for _ in 0..<64 where background.contains(where: { $0.outcome == nil }) { await Task.yield() }
  }

  /// Tells the outcomes that were not told yet, in the order in which the fetches began.
  /// - Returns: whether all of them are good.
  mutating func tellBackground(
    _ handle: (Interpreter.Event, Session) async throws -> Void
  ) async throws -> Bool {
    var isGood = true
    while let index = background.firstIndex(where: { $0.outcome != nil }) {
      let fetch = background.remove(at: index)
      switch fetch.outcome {
      case .failure(let error):
        isGood = false
        let diagnostic = diagnostic(ofFetching: fetch.source, error, at: fetch.span)
        try await handle(.failure(diagnostic), self)
      default:
        var output = fetchedResult(fetch.source).output
        output.heard = try await takeHeardChanges()
        output.warnings += newTypeChanges()
        try await handle(.output(output), self)
      }
    }
    return isGood
  }

  /// How all fetches ended, a line each.
  /// - Throws: ``Diagnostic`` of the first that failed, with the others as its details.
  mutating func backgroundResult() async throws -> CommandResult {
    var failures: [Diagnostic] = []
    var lines: [String] = []
    var warnings: [String] = []
    var sources: [Value] = []
    _ = try await tellBackground { event, _ in
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

  /// Waits for all fetches; Ctrl-C ends them.
  func waitForBackground() async {
    for fetch in background { await fetch.wait(cancellation) }
  }

  /// Ends the fetches of sources that nothing named leads to any more: nobody could.
  mutating func cancelUnnamedFetches() {
    let unnamed = background.filter { $0.outcome == nil && !isNamed($0.source) }
    for fetch in unnamed { fetch.cancel() }
    background.removeAll { fetch in unnamed.contains { $0 === fetch } }
  }

  /// Whether a name stands for a source, or for one that wraps it.
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

  /// The fetches of a source that were not told yet, which are told by whoever takes them.
  mutating func takeBackground(of source: any DataSource) -> [BackgroundFetch] {
    let taken = background.filter { $0.source === source }
    background.removeAll { $0.source === source }
    return taken
  }
}
