import DataSources
import DataTables

/// Runs the scripts of a session: files, typed commands and tests.
///
/// Its state is meaningful only during a run: the remaining lines, the nesting of `source`, the
/// exit status and time of the command, and the observer that records the commands. Each session
/// has one, through which its commands access the run. Copies of a session share it, because only
/// one of the copies runs commands.
package final class ScriptExecution {
  /// Handles the result of a command as soon as the command is done, before the next one starts.
  package typealias EventHandler = (ExecutionEvent, _ session: Session) async throws -> Void

  /// Receive every command of the outermost script with its results.
  package var observers = CommandObservers()
  /// Show the session elsewhere, in the order in which they were added.
  package var followers: [any SessionFollower] = []
  /// The time that the last command took; nil unless `timer` is on and the result is being handled.
  package private(set) var timeTaken: Duration?
  /// Set by `quit`.
  var exitStatus: Int?
  /// The number of lines of the outermost scripts that have run or are running.
  private(set) var numberOfLines = 0
  /// The line in which `quit` was refused last, counted as ``numberOfLines``.
  var lineOfRefusal: Int?
  /// The number of `source` commands that are running, one inside the other.
  private(set) var depth = 0
  /// For each script that runs, outermost first: the line that runs, and those after it.
  private(set) var remainingLines: [ArraySlice<Line>] = []
  /// The number of blocks that are running, one inside the other.
  var blockDepth = 0
  /// The calls of verbs that scripts define, outermost first.
  var calls: [Stage] = []
  /// Whether the running block goes on after a line that failed.
  var goesOnAfterFailure = false
  /// Whether the block or the script that ended last has run all of its lines, even if some failed;
  /// false after a command that failed.
  var hasRunAllLines = true
  /// Whether a `require` failed in the running line, also in its blocks and calls: it ends the script.
  package private(set) var requirementFailed = false
  /// Whether an `expect` that failed ends nothing, as in a test.
  package var continuesAfterExpectations = false
  /// The checks in blocks that have run, of lines that are alive; nil unless they are recorded.
  package var checksThatRan: Set<ObjectIdentifier>?
  /// The parts of the running line that differ when it is recorded.
  var replacements: [RecordedReplacement] = []
  /// The names that the running line of the outermost script has bound, and `_` if it had a result.
  package var boundNames: Set<String> = []
  /// The commands of the outermost scripts that succeeded.
  package var log = SessionLog()

  /// Whether the running line belongs to the outermost script and to no block.
  private var isOutermost: Bool { depth == 0 && blockDepth == 0 }

  /// The last command of the line that runs; nil for an expression, and while none runs.
  var runningStage: Stage? {
    switch remainingLines.last?.first?.kind {
    case .pipe(let pipe), .binding(_, let pipe): pipe.stages.last
    case nil: nil
    }
  }

  /// Whether a command of the line after the one that runs may wait for other programs.
  package var waitsNext: Bool {
    let next = remainingLines.lazy.reversed().compactMap { $0.dropFirst().first }.first
    return next?.stages.contains { $0.command.waits } ?? false
  }

  init() {}

  /// Runs a script, as ``Interpreter/run(_:file:keepsGoing:handle:)`` describes; relative paths
  /// start from the folder of the session's options.
  func execute(
    _ script: ScriptText, keepsGoing: Bool, in session: inout Session, handle: EventHandler
  ) async throws -> ExecutionOutcome {
    let span = Span(script, 0..<script.bytes.count)
    let commands = ParsedCommand.all(in: span, commands: session.commands)
    let mistakes = session.mistakes(in: commands, keepsGoing: keepsGoing)
    guard mistakes.isEmpty else {
      hasRunAllLines = false
      let observers = depth == 0 ? observers : CommandObservers()
      for mistake in mistakes {
        try await handle(.failure(mistake), session)
        await observers.receive(.failure(mistake), session)
      }
      await observers.endCommand(span.text, commands.onlyLine, session)
      return .notParsed
    }
    // A script that ends early also ends its fetches and its transaction.
    defer {
      if depth == 0, !session.options.isInteractive {
        session.backgroundFetches = []
        _ = session.endTransaction()
      }
    }
    var outcome = ExecutionOutcome.done
    if session.options.isInteractive {
      if try await !reportEndedFetches(in: &session, handle) { outcome = .failed }
      if depth == 0 { try await session.reportOutsideChanges(handle) }
    }
    let lines = commands.lines
    announce(lines)
    defer { retract() }
    for line in lines {
      let ending = try await execute(line, keepsGoing: keepsGoing, in: &session, handle: handle)
      switch ending {
      case .done: continue
      case .failed where keepsGoing && !requirementFailed || goesOn(afterFailureOf: line):
        outcome = .failed
      default:
        hasRunAllLines = false
        return ending
      }
    }
    hasRunAllLines = true
    switch try await finish(in: &session, handle: handle) {
    case .done: return outcome
    case let ending: return ending
    }
  }

  /// Whether the lines below one that failed run: nothing failed but checks that end nothing, on the
  /// line itself, or in its blocks or its script.
  package func goesOn(afterFailureOf line: Line) -> Bool {
    continuesAfterExpectations && !requirementFailed && (line.isCheck || hasRunAllLines)
  }

  /// Announces the lines of a script or of a block, which are run line by line.
  func announce(_ lines: [Line]) { remainingLines.append(lines[...]) }

  /// Forgets the lines that were announced last.
  func retract() { remainingLines.removeLast() }

  /// Runs one line. Announced lines before it are skipped.
  func execute(
    _ line: Line, keepsGoing: Bool, in session: inout Session, handle: EventHandler
  ) async throws -> ExecutionOutcome {
    advance(to: line)
    exitStatus = nil
    if blockDepth == 0 { replacements = [] }
    if blockDepth == 0, depth == 0 { requirementFailed = false }
    if isOutermost {
      boundNames = []
      numberOfLines += 1
    }
    let observers = depth == 0 && blockDepth == 0 ? observers : CommandObservers()
    let start = session.options.showsTime ? session.clock.now : nil
    defer { timeTaken = nil }
    let output: Output
    let following: FollowingScript?
    var ending = ExecutionOutcome.done
    do {
      if let block = line.block {
        (output, ending) = try await evaluateBlock(
          block, observers, keepsGoing: keepsGoing, in: &session, handle: handle)
        following = nil
      } else {
        (output, following) = try await evaluate(line, in: &session)
      }
    } catch {
      measureTime(since: start, in: session)
      return try await fail(line, Diagnostic(facts: error), in: &session, observers, handle)
    }
    measureTime(since: start, in: session)
    try await handle(.output(output), session)
    await observers.receive(.output(output), session)
    // Read the replacements now: the lines of an included script replace them with their own.
    let recorded = RecordedLine(line, replacements)
    let texts = observers.texts(of: recorded)
    var outcome = exitStatus.map { ExecutionOutcome.quit($0) } ?? ending
    if let following, exitStatus == nil {
      // The mistakes of a script that does not parse are shown without a time.
      timeTaken = nil
      outcome = try await run(following, keepsGoing: keepsGoing, in: &session) { event, session in
        try await handle(event, session)
        await observers.receive(event, session)
      }
    }
    if isOutermost, outcome == .done { log.append(recorded, boundNames: boundNames) }
    await observers.endCommand(texts, line, session)
    if isOutermost { await session.callFollowers() }
    return outcome
  }

  /// Reports the failure of a line.
  private func fail(
    _ line: Line, _ diagnostic: Diagnostic, in session: inout Session,
    _ observers: CommandObservers, _ handle: EventHandler
  ) async throws -> ExecutionOutcome {
    if line.isRequirement { requirementFailed = true }
    hasRunAllLines = false
    // They may explain the failure.
    let warnings = session.takeWarnings() + session.newRowNotes()
    if !warnings.isEmpty {
      try await handle(.output(Output(.none, warnings: warnings)), session)
    }
    try await handle(.failure(diagnostic), session)
    // A name that the line bound before it failed can be used, so its definition is kept.
    if isOutermost, boundNames.contains(where: { $0 != "_" }), let end = line.endOfDefinition {
      log.append(RecordedLine(line, replacements, end: end), boundNames: boundNames)
    }
    await observers.receive(.failure(diagnostic), session)
    await observers.endCommand(
      observers.texts(of: RecordedLine(line, replacements)), line, session)
    if isOutermost { await session.callFollowers() }
    let isCancelled = diagnostic.kind == .cancelled && session.cancellation.isCancelled
    return isCancelled ? .cancelled : .failed
  }

  /// Ends a script and reports how the fetches in the background ended. Waits for them, except at
  /// the prompt.
  func finish(
    in session: inout Session, handle: EventHandler
  ) async throws -> ExecutionOutcome {
    if depth == 0, !session.options.isInteractive, let warning = session.endTransaction() {
      try await handle(.output(Output(.none, warnings: [warning])), session)
    }
    return try await finishFetches(in: &session, handle: handle)
  }

  /// Reports how the fetches in the background ended. Waits for them, except at the prompt.
  func finishFetches(
    in session: inout Session, handle: EventHandler
  ) async throws -> ExecutionOutcome {
    guard !session.backgroundFetches.isEmpty, depth == 0 else { return .done }
    if !session.options.isInteractive { await session.waitForBackgroundFetches() }
    let haveSucceeded = try await reportEndedFetches(in: &session, handle)
    if !session.options.isInteractive, session.cancellation.isCancelled { return .cancelled }
    return haveSucceeded ? .done : .failed
  }

  /// Runs a line that is expected to fail; its output is left out.
  /// - Returns: the error of the line, or of the line in its block that failed; nil without an error.
  func failure(of line: Line, in session: inout Session) async -> Diagnostic? {
    var mistake: Diagnostic?
    do {
      if let block = line.block {
        _ = try await evaluateBlock(block, CommandObservers(), keepsGoing: false, in: &session) {
          event, _ in
          if case .failure(let failure) = event { mistake = failure }
        }
      } else {
        _ = try await session.evaluate(line)
      }
    } catch {
      mistake = Diagnostic(facts: error)
    }
    return mistake
  }

  // Searches from the front: lines run in order, so the line is usually near it.
  private func advance(to line: Line) {
    guard let script = remainingLines.indices.last,
      let position = remainingLines[script].firstIndex(where: { $0 === line })
    else { return }
    remainingLines[script] = remainingLines[script][position...]
  }

  /// - Returns: the output, and the script that runs next.
  private func evaluate(
    _ line: Line, in session: inout Session
  ) async throws -> (output: Output, following: FollowingScript?) {
    // Rendering the previous result may have left progress behind.
    session.progress.restart(line.span.text)
    session.pendingWarnings = []
    // No progress is shown together with the result.
    defer { session.progress.reset() }
    var result = try await session.evaluate(line)
    try await complete(&result.output, in: &session)
    return (result.output, result.following)
  }

  /// Adds the changes and warnings that a line caused to its output.
  func complete(_ output: inout Output, in session: inout Session) async throws {
    if output.isTable { session.rest = output.rest(limit: session.options.shownRows) }
    if !session.watchers.isEmpty { output.changes = try await session.takeWatchedChanges() }
    output.warnings += session.earlierWarnings + session.takeWarnings()
    session.earlierWarnings = []
    if !session.loaded.isEmpty {
      output.warnings += session.newRowNotes() + session.newTypeChangeWarnings()
    }
  }

  /// - Parameter start: the time when the command started; nil if times were not shown then.
  private func measureTime(since start: AdjustableClock.Instant?, in session: Session) {
    timeTaken = session.options.showsTime ? start?.duration(to: session.clock.now) : nil
  }

  /// Runs the script that a command leaves, with its own folder.
  private func run(
    _ script: FollowingScript, keepsGoing: Bool, in session: inout Session, handle: EventHandler
  ) async throws -> ExecutionOutcome {
    let folder = session.options.folder
    session.options.folder = script.folder
    depth += 1
    defer {
      session.options.folder = folder
      depth -= 1
    }
    switch script {
    case .included(let script):
      let outcome = try await execute(script, keepsGoing: keepsGoing, in: &session, handle: handle)
      // The outer script did parse; only its `source` command failed.
      return outcome == .notParsed ? .failed : outcome
    case .played(let script): return try await play(script, in: &session, handle: handle)
    }
  }

  /// Reports the fetches in the background that have ended: at the prompt, between commands; in
  /// scripts, only at the end, so that the output does not depend on when responses arrive.
  /// - Returns: whether all of them succeeded.
  private func reportEndedFetches(
    in session: inout Session, _ handle: EventHandler
  ) async throws -> Bool {
    guard depth == 0 else { return true }
    await session.letBackgroundFetchesEnd()
    return try await session.reportEndedFetches(handle)
  }
}

/// The result of a command of a script.
public enum ExecutionEvent: Sendable {
  /// A command is done.
  case output(Output)
  /// A command failed.
  indirect case failure(Diagnostic)
}

/// How a script ended.
public enum ExecutionOutcome: Sendable, Equatable {
  case done
  case failed
  /// The script has mistakes that are found before it runs; nothing was run.
  case notParsed
  /// `quit`, with its status.
  case quit(Int)
  case cancelled
}
