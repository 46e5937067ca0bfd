import DataSources
import DataTables
import Databases

/// The time that `wait` may take: on the session's clock; on the machine's clock while something
/// outside of the session is waited for, such as a server.
struct WaitLimit {
  private let clock: AdjustableClock
  fileprivate let deadline: AdjustableClock.Instant
  private let end: ContinuousClock.Instant
  /// As written.
  private let text: String

  init(seconds: Double, on clock: AdjustableClock, text: String) {
    self.clock = clock
    deadline = clock.now.advanced(by: .seconds(seconds))
    end = .now + .seconds(seconds)
    self.text = text
  }

  /// Whether the time has passed on the machine's clock.
  private var hasPassed: Bool { ContinuousClock.now >= end }

  /// Whether the time has passed: on a virtual clock unless something outside is waited for.
  fileprivate func hasPassed(isVirtual: Bool) -> Bool {
    guard isVirtual else { return hasPassed }
    return clock.instant(after: .zero) >= deadline
      || hasPassedOutside(DeterministicExecutor.current)
  }

  private func hasPassedOutside(_ executor: DeterministicExecutor?) -> Bool {
    executor?.waitsOutside == true && hasPassed
  }

  /// Waits until a condition holds, the flag is raised or the time has passed.
  func wait(
    _ cancellation: Cancellation, isolation: isolated (any Actor)? = #isolation,
    _ condition: @escaping () -> Bool
  ) async {
    // The executor evaluates the condition outside of any task, where it has no current one.
    let executor = DeterministicExecutor.current
    await clock.wait(until: deadline) {
      condition() || cancellation.isCancelled || hasPassedOutside(executor)
    }
  }

  /// Lets a virtual clock advance to an instant, at most to the limit.
  fileprivate func advance(
    until next: AdjustableClock.Instant?, _ cancellation: Cancellation,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let next = min(next ?? deadline, deadline)
    guard let executor = DeterministicExecutor.current else {
      return await clock.advance(until: next)
    }
    await clock.wait(until: next) { cancellation.isCancelled || hasPassedOutside(executor) }
  }

  func error(_ subject: String, at span: Span) -> Diagnostic {
    Diagnostic(
      .timeout, "\(subject) within `timeout: \(text)`; add a longer `timeout:`", at: span)
  }
}

// Waiting for other programs.
extension Session {
  private static let pollTime = Duration.milliseconds(2)

  /// Waits until another program has changed a file or a table at or below a watched source, and
  /// reads it.
  ///
  /// - Returns: nil if the source is being fetched, or if nothing at or below it is observed.
  /// - Throws: ``Diagnostic`` at `span`: `timeout` after the limit; the error of reading the file, or
  ///   of the fetch of the source that followed.
  mutating func waitForChange(
    of source: any DataSource, at span: Span, limit: WaitLimit?
  ) async throws -> CommandResult? {
    let isFetching = source.isFetching || backgroundFetches.contains { $0.source === source }
    guard !isFetching, monitors.observes({ source.wraps($0) }) else { return nil }
    try checkNoTransaction("whose end shows changes by other programs, too", at: span)
    var hasChecked = false
    while true {
      let changed = try await monitors.readChanges(
        where: { source.wraps($0) }, fetchOptions, cancellation: cancellation,
        progress: progress, listener: eventListener)
      if let failed = changed.first(where: { $0.error != nil }), let error = failed.error {
        throw diagnostic(ofFetching: failed, error, at: span)
      }
      if !changed.isEmpty {
        // The file was read, but the source could not follow it, nor show its new content.
        if let error = source.error { throw diagnostic(ofFetching: source, error, at: span) }
        return await fetchedResult(source)
      }
      if cancellation.isCancelled {
        throw Diagnostic(.cancelled, "wait for \(nameToShow(of: source)) was canceled", at: span)
      }
      let isVirtual = monitors.areVirtual { source.wraps($0) }
      if let limit, limit.hasPassed(isVirtual: isVirtual) {
        throw limit.error("\(nameToShow(of: source)) has not changed", at: span)
      }
      let checks = monitors.nextChecks { source.wraps($0) }
      let check = checks.first
      if isVirtual {
        if let limit {
          await limit.advance(until: check, cancellation)
        } else if let check, !hasChecked {
          // One check of each monitor finds all changes.
          await clock.advance(until: checks.last ?? check)
          hasChecked = true
        } else {
          throw Diagnostic(
            .timeout,
            "\(nameToShow(of: source)) has not changed, and only commands and directives change its "
              + "files; `#% clock real` waits for other programs", at: span)
        }
        continue
      }
      // Intervals follow the session's clock also if reports come from a server.
      if let check, clock.isVirtual { await clock.advance(until: check) }
      await DeterministicExecutor.outside {
        // Polls, because a signal handler that raises the flag cannot wake a task.
        try? await Task.sleep(for: Self.pollTime)
      }
    }
  }

  /// Checks that a wait with a limit has something to wait for.
  /// - Throws: ``Diagnostic`` of kind `badArgument` at `span` if the source is not being fetched, no
  ///   outcome of a fetch of it is unreported, and nothing at or below it is observed.
  func checkWaiting(for source: any DataSource, at span: Span) throws {
    let isFetching = source.isFetching || backgroundFetches.contains { $0.source === source }
    guard !isFetching, !monitors.observes({ source.wraps($0) }) else { return }
    let name = nameToShow(of: source)
    var problem = "nothing to wait for: \(name) is not being fetched"
    if SourceMonitors.canObserve(source) {
      problem += "; to wait for changes by other programs, first enter `watch \(name)`"
    } else if let below = SourceMonitors.unobserved(below: source).first,
      !(below is any RequestingSource)
    {
      problem += ", and \(nameToShow(of: below)) is a pipe, which is read only once"
    } else {
      problem +=
        ", and only changes of files and tables are observed; `\(fetchCommand(source))` reads it again"
    }
    throw Diagnostic(.badArgument, problem, at: span)
  }

  /// Waits until fetches have ended, or until cancellation.
  /// - Throws: ``Diagnostic`` of kind `timeout` at `span` after the limit.
  func wait(
    for fetches: [BackgroundFetch], of source: (any DataSource)?, at span: Span, limit: WaitLimit
  ) async throws {
    func areRunning() -> Bool {
      fetches.contains { $0.outcome == nil } || source?.isFetching ?? false
    }
    await limit.wait(cancellation) { !areRunning() }
    guard areRunning(), !cancellation.isCancelled else { return }
    let unfinished = source ?? fetches.first { $0.outcome == nil }?.source
    let name = unfinished.map { "the fetch of \(nameToShow(of: $0))" } ?? "a fetch"
    throw limit.error("\(name) has not ended", at: span)
  }

  /// Reads and reports the changes that other programs have made to watched files and tables.
  mutating func reportOutsideChanges(
    isolation: isolated (any Actor)? = #isolation, _ handle: ScriptExecution.EventHandler
  ) async throws {
    guard !monitors.isEmpty, transaction == nil else { return }
    let changed = try await readOutsideChanges()
    var output = Output.none
    output.warnings = changed.flatMap(refreshWarnings)
    output.changes = try await takeWatchedChanges()
    output.warnings += newRowNotes() + newTypeChangeWarnings()
    if case .none = output.changes, output.warnings.isEmpty { return }
    try await handle(.output(output), self)
  }

  /// Reads the changes that other programs have made to watched files and tables.
  /// - Returns: the sources that were read again, or whose reading failed.
  /// - Throws: ``SourceError`` when a monitor fails.
  mutating func readOutsideChanges(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [any DataSource] {
    // Sources above the changed ones would show edits that are not committed.
    guard !monitors.isEmpty, transaction == nil else { return [] }
    return try await AdjustableClock.$current.withValue(clock) {
      // The closure stays in the isolation of the sources only if it captures it.
      _ = isolation
      return try await monitors.readChanges(
        fetchOptions, cancellation: cancellation, progress: progress, listener: eventListener)
    }
  }

  /// Makes the watched tables of a database show what a command has written.
  mutating func showChanges(in database: OpenDatabase) async throws {
    guard !monitors.isEmpty, transaction == nil else { return }
    func isTable(_ source: any DataSource) -> Bool {
      (source as? TableSource)?.database === database.database
    }
    monitors.note(where: isTable)
    let changed: [any DataSource] = try await monitors.readChanges(
      where: isTable, fetchOptions, cancellation: cancellation, progress: progress,
      listener: eventListener)
    for warning in changed.flatMap(refreshWarnings) { warn(warning) }
  }

  /// The failures of a source that was read again because it changed, and of its wrappers.
  func refreshWarnings(of source: any DataSource) -> [String] {
    let failure = source.error.map { error in
      "\(displayName(of: source)) could not be read again: "
        + message(of: error, fetching: source) + "; it shows its old content"
    }
    return (failure.map { [$0] } ?? []) + followerWarnings(of: source)
  }
}
