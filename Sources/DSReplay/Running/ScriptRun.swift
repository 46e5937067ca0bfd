import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Pictures

/// One run of a script: its session, captures and outcome so far.
struct ScriptRun {
  let script: ReplayScript
  let environment: ReplayEnvironment
  let observer: ReplayObserver
  var outcome: FileOutcome
  var interpreter: Interpreter
  private let traces: TraceLog
  var captures = Captures()
  var fetches = FetchLog()
  /// The keys of `ignore:` that compared results have had.
  var ignoredKeys = IgnoredKeys()
  /// The commands whose fetches in the background have not been reported.
  var backgroundCommands: [BackgroundCommand] = []
  /// The unreported fetches after the last command.
  var notedFetches: [ObjectIdentifier] = []
  /// The directives that change the environment.
  private var steps: EnvironmentSteps
  /// nil unless coverage is measured.
  var coverage: CoverageLog?
  /// The first lines of the commands that passed.
  var passedLines: [Int] = []
  /// The reason why the rest of the section is not run.
  var sectionEndReason: String?
  /// The reason why all commands of the section are skipped: so are those of a script before it.
  var sectionSkipReason: String?
  /// The reason why the rest of the file is not run.
  var fileEndReason: String?

  init(
    _ script: ReplayScript, _ environment: ReplayEnvironment, _ observer: ReplayObserver
  ) {
    self.script = script
    self.environment = environment
    self.observer = observer
    traces = TraceLog()
    steps = EnvironmentSteps(of: script, environment)
    outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    var session = Session(
      cancellation: environment.cancellation,
      clock: AdjustableClock(date: environment.date, tick: environment.tick),
      randomNumbers: RandomNumbers(seed: environment.orderSeed ?? environment.seed))
    session.commands = environment.commands
    session.options.folder = FilePath.folder(of: script.path)
    session.options.styles = Styles.described
    session.options.completeStyles = Styles.completeNames
    // Tests compare all rows.
    session.options.rows = nil
    session.options.arguments = environment.arguments
    // Standard input of a worker has messages of the pool.
    session.options.readsStandardInput = true
    session.options.addsPictures = environment.drawsPictures
    session.options.traceWriter = traces.writer
    if let network = environment.network { session.transports.setNetwork(network) }
    session.execution.continuesAfterExpectations = true
    session.execution.checksThatRan = []
    session.options.environment = Facility.value(ofVariable:)
    for name in environment.values.keys.sorted() {
      if let value = environment.values[name] { session.bind(name, to: .value(value)) }
    }
    if let each = script.each, let file = environment.eachFile {
      session.bind(each.name, to: .value(.string(file)))
    }
    if environment.measuresCoverage {
      coverage = CoverageLog()
      session.contentReads = ContentReads()
    }
    interpreter = Interpreter(session: session)
    interpreter.announce(script.lines)
    captures = Captures(holes: script.namedHoles)
  }

  /// Continues a run with the commands of an attached script, which has captures and directives of
  /// its own.
  init(_ script: ReplayScript, attachedTo outer: ScriptRun, _ observer: ReplayObserver) {
    var script = script
    if outer.environment.isStrict { script.makeStrict() }
    self.script = script
    self.observer = observer
    var environment = outer.environment
    // They select sections and lines of the script to which it is attached.
    environment.filter = SectionFilter()
    environment.onlyLine = nil
    self.environment = environment
    traces = outer.traces
    fetches = outer.fetches
    backgroundCommands = outer.backgroundCommands
    notedFetches = outer.notedFetches
    steps = EnvironmentSteps(of: script, environment, continuing: outer.steps)
    coverage = outer.coverage
    interpreter = outer.interpreter
    outcome = FileOutcome(path: script.path)
    captures = Captures(holes: script.namedHoles)
  }

  mutating func run() async {
    var engineFailure = await openTables()
    var lastSection: Int?
    let running = environment.runningSections(of: script)
    for (index, section) in script.sections.enumerated() {
      var result = SectionOutcome(section)
      sectionEndReason = nil
      let start = ContinuousClock.now
      if running.contains(index) {
        report(engineFailure.take(), in: &result)
        await run(section, at: index, &result)
      } else {
        sectionEndReason = "not selected"
        leaveOut(section, &result)
      }
      endSection(index, isCutShort: sectionEndReason != nil)
      let elapsed = (ContinuousClock.now - start).components
      result.nanoseconds =
        Int(elapsed.seconds) * 1_000_000_000 + Int(elapsed.attoseconds / 1_000_000_000)
      outcome.sections.append(result)
      if lastSection == nil, fileEndReason != nil { lastSection = index }
      if outcome.sections.count < script.sections.count { observer.ended(result) }
    }
    await runLastSteps()
    await finishBackgroundFetches()
    outcome.missingKeys = missingIgnoredKeys
    coverage?.finish(in: interpreter.session)
    outcome.usage = ScriptUsage(of: script, in: interpreter.session)
    if let coverage {
      outcome.coverage = coverage.coverage
      outcome.unexpectedOutput = coverage.unexpected
    }
    await closeTables()
    outcome.applyExpectedFailures(of: script, passed: passedLines, rerun)
    for index in outcome.sections.indices { outcome.sections[index].updateStatus() }
    if !environment.filter.selectsAll {
      var selected = script.sections.map { environment.selects($0, of: script) }
      // A failure that ends the file is one of the selected sections below it, which do not run.
      if let lastSection, selected[(lastSection + 1)...].contains(true) {
        selected[lastSection] = true
      }
      outcome.sections = zip(outcome.sections, selected).filter(\.1).map(\.0)
      outcome.isPartial = selected.contains(false)
    }
  }

  private mutating func run(
    _ section: ReplayScript.Section, at index: Int, _ result: inout SectionOutcome
  ) async {
    let setting = section.setting
    sectionSkipReason = section.reasonToSkipScriptsBefore(environment)
    let attaches =
      !(setting.before.isEmpty && setting.after.isEmpty && setting.property == nil)
      && fileEndReason == nil && anyCommandRuns(of: section)
    if attaches, let failed = await runAttached(setting.before, to: section, &result) {
      sectionEndReason = "the `before` of line \(failed.line) failed"
    }
    for index in section.commands {
      await run(script.commands[index], index, in: section, &result)
    }
    guard attaches else { return }
    let isTested = isTested(section)
    if isTested, setting.property != nil, result.failures.allSatisfy(script.expects),
      sectionEndReason == nil, fileEndReason == nil,
      let failure = await failureOfProperty(
        of: section, at: index, failedLines: Set(result.failures.map(\.line)))
    {
      result.failures.append(failure)
      passedLines.removeAll { $0 == failure.line }
      observer.failed(failure)
    }
    // Also after a failure and after `quit`.
    await runAttached(setting.after, to: section, &result)
    if !isTested { result.failures = [] }
  }

  /// Whether the selected line is in a section, or all sections are selected.
  func isTested(_ section: ReplayScript.Section) -> Bool {
    section.commands.contains {
      environment.relation(of: script.commands[$0], in: section, of: script) == .selected
    }
  }

  private mutating func leaveOut(_ section: ReplayScript.Section, _ result: inout SectionOutcome) {
    for index in section.commands {
      let command = script.commands[index]
      let relation = environment.relation(of: command, in: section, of: script)
      _ = isLeftOut(command, relation, &result)
      captures.leaveOut(command, reason: "not selected")
    }
  }

  /// Whether any command of a section runs, as far as directives and the selected line decide it.
  func anyCommandRuns(of section: ReplayScript.Section) -> Bool {
    section.reasonToSkipScriptsBefore(environment) == nil
      && section.commands.contains { index in
        let command = script.commands[index]
        return environment.relation(of: command, in: section, of: script) != .after
          && command.setting.reasonToSkip(environment) == nil
      }
  }

  /// Forgets the directives of a section that did not take effect.
  ///
  /// - Parameter isCutShort: whether the section ended before its last command.
  mutating func endSection(_ index: Int, isCutShort: Bool) {
    if !steps.hasNext { return }
    steps.endSection(
      index, isCutShort: isCutShort || !anyCommandRuns(of: script.sections[index]))
  }

  /// The value of an expression after the commands that have run.
  mutating func value(ofExpression text: String) async throws -> Value {
    try await interpreter.session.value(ofExpression: text)
  }

  private mutating func run(
    _ command: ReplayCommand, _ index: Int, in section: ReplayScript.Section,
    _ result: inout SectionOutcome
  ) async {
    let relation = environment.relation(of: command, in: section, of: script)
    if isLeftOut(command, relation, &result) { return }
    prepare(command)
    if let failure = await runSteps(upTo: index) {
      result.failures.append(failure)
    }
    let captured = await execute(command)
    noteBackgroundFetches(of: command, isTested: relation == .selected)
    let failure = await failure(of: command, captured)
    noteCoverage(of: command, captured, passed: failure == nil)
    // A failure above the selected line is reported only if it ends the file, because the selected
    // line does not run then.
    if relation == .before, failure == nil || fileEndReason == nil {
      if failure != nil { captures.noteMissing(command) }
      result.notRunCommands += 1
      if result.reason.isEmpty { result.reason = "not selected" }
      return
    }
    if let failure {
      if command.setting.expectedFailure != nil || !environment.selects(section, of: script) {
        captures.noteMissing(command)
      }
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

  private mutating func noteCoverage(
    of command: ReplayCommand, _ captured: CapturedOutput, passed: Bool
  ) {
    guard let reads = interpreter.session.contentReads?.take() else { return }
    coverage?.add(command, captured, passed: passed, reads, in: interpreter.session)
  }

  /// Applies the directives above a command.
  mutating func runSteps(upTo index: Int) async -> CommandFailure? {
    if !steps.hasNext { return nil }
    // Below the last command, they are those of the last section.
    let section = min(outcome.sections.count, script.sections.count - 1)
    return await steps.run(upTo: index, section: section, in: &interpreter)
  }

  /// Applies the directives below the last command.
  private mutating func runLastSteps() async {
    guard fileEndReason == nil, environment.onlyLine == nil, !outcome.sections.isEmpty,
      let failure = await runSteps(upTo: script.commands.count)
    else { return }
    outcome.sections[outcome.sections.count - 1].failures.append(failure)
  }

  /// Goes on after the commands of an attached script.
  mutating func resume(after attached: ScriptRun) {
    interpreter = attached.interpreter
    fetches = attached.fetches
    notedFetches = attached.notedFetches
    coverage = attached.coverage
    steps.takeVariables(of: attached.steps)
  }

  /// Announces a command, and permits the network if it needs it.
  mutating func prepare(_ command: ReplayCommand) {
    interpreter.session.transports.refusesNetwork =
      !environment.allowsNetwork && !command.setting.requirements.contains(where: \.usesNetwork)
    observer.aboutToRun(command)
  }

  /// Judges a command by its output and by the invariants of what it fetched.
  mutating func failure(
    of command: ReplayCommand, _ captured: CapturedOutput
  ) async -> CommandFailure? {
    var command = command
    // A command that fails is not filled: its error may be a mistake.
    if environment.fillsExpectations, command.expectations.isEmpty, captured.failures.isEmpty {
      command.setting.isStrict = true
    }
    if command.expectsOutput { ignoredKeys.add(command, captured) }
    var failure = await judge(command, captured)
    if environment.drawsPictures {
      failure?.drawings = captured.pieces.compactMap { piece in
        if case .output(_, let picture?) = piece { SVGDrawing().element(picture) } else { nil }
      }
    }
    return failure
  }

  private mutating func judge(
    _ command: ReplayCommand, _ captured: CapturedOutput
  ) async -> CommandFailure? {
    switch verdict(on: command, captured) {
    case .passed: nil
    case .failed(let failure): failure
    case .mismatch: await mismatch(of: command, captured)
    case .fetched: await brokenInvariant(after: command)
    }
  }

  /// Counts a command that does not run, and keeps the first reason of its section.
  /// - Returns: false if the command runs.
  private mutating func isLeftOut(
    _ command: ReplayCommand, _ relation: ReplayEnvironment.Relation, _ result: inout SectionOutcome
  ) -> Bool {
    let isAfter = relation == .after
    let reason: String
    if let end = fileEndReason ?? sectionEndReason ?? (isAfter ? "not selected" : nil) {
      reason = end
      result.notRunCommands += 1
    } else if let skip = sectionSkipReason ?? command.setting.reasonToSkip(environment) {
      reason = skip
      captures.leaveOut(command, reason: skip)
      if relation == .selected { result.skippedCommands += 1 } else { result.notRunCommands += 1 }
    } else {
      return false
    }
    if result.reason.isEmpty { result.reason = reason }
    return true
  }

  /// A capture of the output of a command.
  func newCapture() -> OutputCapture {
    OutputCapture(traces: traces, limit: environment.outputLimit, wrote: observer.wrote)
  }

  mutating func execute(_ command: ReplayCommand) async -> CapturedOutput {
    var capture = newCapture()
    var ending = ExecutionOutcome.done
    // As at the prompt, nothing runs of commands on one line if one of them has a mistake. A single
    // command meets its mistake itself, before it has an effect; with a timer, it would take time.
    let isChecked = !command.isOneCommand || interpreter.session.options.showsTime
    let mistakes =
      !isChecked
      ? [] : interpreter.session.mistakes(in: command.parts, keepsGoing: false)
    if !mistakes.isEmpty {
      for mistake in mistakes {
        try? await capture.take(.failure(mistake), interpreter.session)
      }
      return capture.finish(.notParsed)
    }
    for part in command.parts {
      guard case .line(let line) = part else { continue }
      let run = try? await interpreter.run(line) { event, session in
        try await capture.take(event, session)
        // A command that exceeds its time limit while its output is rendered ends here.
        try session.cancellation.check()
      }
      if run == .done { continue }
      ending = run ?? (environment.cancellation.isCancelled ? .cancelled : .failed)
      let execution = interpreter.session.execution
      guard run == .failed, execution.goesOn(afterFailureOf: line) else { break }
    }
    return capture.finish(ending)
  }
}

extension ReplayCommand {
  fileprivate var isOneCommand: Bool {
    if parts.count == 1, case .line(let line)? = parts.first { line.isOneCommand } else { false }
  }
}

extension ReplayCommand {
  fileprivate var isRequirement: Bool {
    parts.contains { if case .line(let line) = $0 { line.isRequirement } else { false } }
  }
}

extension ReplaySetting {
  /// The reason why a command is not run; nil if it runs.
  func reasonToSkip(_ environment: ReplayEnvironment) -> String? {
    if let skipReason { return skipReason }
    let needed = requirements + [environment.engine?.facility].compactMap { $0 }
    return needed.first { !environment.facilities.contains($0) }?.absence
  }
}
