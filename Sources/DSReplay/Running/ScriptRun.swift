import DSInterpreter
import DSRendering
import DataSources
import DataTables

/// One run of a script: its session, captures and outcome so far.
struct ScriptRun {
  let script: ReplayScript
  let environment: ReplayEnvironment
  let observer: ReplayObserver
  private(set) var outcome: FileOutcome
  var interpreter: Interpreter
  private let traces = TraceLog()
  var captures = Captures()
  var fetches = FetchLog()
  private var nextStep = 0
  /// The first lines of the commands that passed.
  private var passedLines: [Int] = []
  /// The reason why the rest of the section is not run.
  private var sectionEndReason: String?
  /// The reason why the rest of the file is not run.
  var fileEndReason: String?

  init(
    _ script: ReplayScript, _ environment: ReplayEnvironment, _ observer: ReplayObserver
  ) {
    self.script = script
    self.environment = environment
    self.observer = observer
    outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    var session = Session(
      cancellation: environment.cancellation,
      clock: AdjustableClock(date: environment.date, tick: environment.tick),
      randomNumbers: RandomNumbers(seed: environment.seed))
    session.commands = environment.commands
    session.options.folder = FilePath.folder(of: script.path)
    session.options.styles = Styles.described
    session.options.completeStyles = Styles.completeNames
    // Tests compare all rows.
    session.options.rows = nil
    session.options.arguments = environment.arguments
    // Standard input of a worker has messages of the pool.
    session.options.readsStandardInput = true
    session.options.traceWriter = traces.writer
    if let network = environment.network {
      let transports = session.transports
      transports.setNetwork(RetryingTransport(network, retry: transports.retry))
    }
    session.execution.continuesAfterExpectations = true
    interpreter = Interpreter(session: session)
    interpreter.announce(script.lines)
  }

  mutating func run() async {
    await openTables()
    for section in script.sections {
      var result = SectionOutcome(title: section.title, line: section.line)
      sectionEndReason = nil
      let start = ContinuousClock.now
      for index in section.commands {
        await run(script.commands[index], index, in: section, &result)
      }
      let elapsed = (ContinuousClock.now - start).components
      result.nanoseconds =
        Int(elapsed.seconds) * 1_000_000_000 + Int(elapsed.attoseconds / 1_000_000_000)
      outcome.sections.append(result)
      if outcome.sections.count < script.sections.count { observer.ended(result) }
    }
    await finish()
    await closeTables()
    outcome.applyExpectedFailures(of: script, passed: passedLines)
    for index in outcome.sections.indices { outcome.sections[index].updateStatus() }
  }

  /// Waits for background work; a failure there is attributed to the last command.
  private mutating func finish() async {
    var capture = OutputCapture(
      traces: traces, limit: environment.outputLimit, wrote: observer.wrote)
    let ending = try? await interpreter.finish { event, session in
      try await capture.take(event, session)
    }
    let captured = capture.finish(ending ?? .failed)
    guard let failure = captured.failures.first, let last = script.commands.last,
      !outcome.sections.isEmpty
    else { return }
    outcome.sections[outcome.sections.count - 1].failures.append(
      picture(of: last, captured.errors, kind: .error, message: failure.message))
  }

  private mutating func run(
    _ command: ReplayCommand, _ index: Int, in section: ReplayScript.Section,
    _ result: inout SectionOutcome
  ) async {
    let relation = environment.relation(of: command, in: section, of: script)
    if isLeftOut(command, relation, &result) { return }
    interpreter.session.transports.refusesNetwork =
      !environment.allowsNetwork && !command.setting.requirements.contains(where: \.usesNetwork)
    observer.aboutToRun(command)
    if nextStep < script.steps.count, let failure = await runSteps(upTo: index) {
      result.failures.append(failure)
    }
    let captured = await execute(command)
    let failure =
      switch verdict(on: command, captured) {
      case .passed: CommandFailure?.none
      case .failed(let failure): failure
      case .mismatch: await mismatch(of: command, captured)
      case .fetched: await brokenInvariant(after: command)
      }
    // A failure above the selected line is reported only if it ends the file, because the selected
    // line does not run then.
    if relation == .before, failure == nil || fileEndReason == nil {
      result.notRunCommands += 1
      if result.reason.isEmpty { result.reason = "not selected" }
      return
    }
    if let failure {
      result.failures.append(failure)
      observer.failed(failure)
      if command.isRequirement || interpreter.session.execution.requirementFailed {
        sectionEndReason = "the `require` of line \(command.lines.lowerBound) failed"
      }
    } else {
      result.passedCommands += 1
      passedLines.append(command.lines.lowerBound)
    }
  }

  /// Counts a command that does not run, and keeps the first reason of its section.
  /// - Returns: false if the command runs.
  private func isLeftOut(
    _ command: ReplayCommand, _ relation: ReplayEnvironment.Relation, _ result: inout SectionOutcome
  ) -> Bool {
    let isAfter = relation == .after
    let reason: String
    if let end = fileEndReason ?? sectionEndReason ?? (isAfter ? "not selected" : nil) {
      reason = end
      result.notRunCommands += 1
    } else if let skip = command.setting.reasonToSkip(environment) {
      reason = skip
      if relation == .selected { result.skippedCommands += 1 } else { result.notRunCommands += 1 }
    } else {
      return false
    }
    if result.reason.isEmpty { result.reason = reason }
    return true
  }

  mutating func execute(_ command: ReplayCommand) async -> CapturedOutput {
    var capture = OutputCapture(
      traces: traces, limit: environment.outputLimit, wrote: observer.wrote)
    var ending = ExecutionOutcome.done
    if let mistake = command.mistake {
      try? await capture.take(.failure(mistake), interpreter.session)
      return capture.finish(.notParsed)
    }
    for index in command.parts.indices where ending == .done {
      guard case .line(let line) = command.parts[index] else { continue }
      let run = try? await interpreter.run(line) { event, session in
        try await capture.take(event, session)
        // A command that exceeds its time limit while its output is rendered ends here.
        try session.cancellation.check()
      }
      ending = run ?? (environment.cancellation.isCancelled ? .cancelled : .failed)
    }
    return capture.finish(ending)
  }
}

// Directives that change the environment.
extension ScriptRun {
  /// Applies the directives above a command.
  private mutating func runSteps(upTo index: Int) async -> CommandFailure? {
    var failure: CommandFailure?
    while nextStep < script.steps.count, script.steps[nextStep].command <= index {
      let step = script.steps[nextStep]
      nextStep += 1
      switch step.directive {
      case .cassette(let file): failure = await insert(cassette: file, at: step.line) ?? failure
      case .clock(let setting): set(interpreter.session.clock, setting)
      case .change(let change): failure = make(change, at: step.line) ?? failure
      case .seed(let seed): interpreter.session.randomNumbers.seed(seed)
      default: break
      }
    }
    return failure
  }

  private func set(_ clock: AdjustableClock, _ setting: ClockSetting) {
    switch setting {
    case .date(let date): clock.freeze(at: date)
    case .virtual: clock.freeze()
    case .real: clock.followSystemTime()
    }
  }

  /// Changes a file as another program would; relative paths start from the script's folder.
  private func make(_ change: OutsideChange, at line: Int) -> CommandFailure? {
    let path = FilePath.resolve(change.path, in: interpreter.session.options.folder)
    do throws(TableError) {
      try change.at(path).make()
      return nil
    } catch {
      var failure = CommandFailure(line: line, kind: .file, message: error.message)
      failure.picture = FailurePicture.lines(
        ofDirectiveAt: line, in: script, section: outcome.sections.count, note: error.message)
      return failure
    }
  }

  /// Replays responses from a cassette from here on, as the command `cassette` does.
  private mutating func insert(cassette file: String, at line: Int) async -> CommandFailure? {
    var message: String?
    let command = "cassette \(Value.string(file).json)"
    _ = try? await interpreter.run(command) { event, _ in
      if case .failure(let diagnostic) = event { message = diagnostic.message }
    }
    return message.map {
      var failure = CommandFailure(line: line, kind: .cassette, message: $0)
      failure.picture = FailurePicture.lines(
        ofDirectiveAt: line, in: script, section: outcome.sections.count, note: $0)
      return failure
    }
  }
}

extension ReplayCommand {
  fileprivate var isRequirement: Bool {
    parts.contains { if case .line(let line) = $0 { line.isRequirement } else { false } }
  }
}

extension ReplaySetting {
  fileprivate func reasonToSkip(_ environment: ReplayEnvironment) -> String? {
    if let skipReason { return skipReason }
    let needed = requirements + [environment.engine?.facility].compactMap { $0 }
    return needed.first { !environment.facilities.contains($0) }?.absence
  }
}
