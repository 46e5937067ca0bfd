import DSInterpreter
import DSRendering
import DataSources
import DataTables

/// One run of a script: its session, what its holes took, and what came of it so far.
struct ScriptRun {
  let script: ReplayScript
  let surroundings: ReplaySurroundings
  let observer: ReplayObserver
  private(set) var outcome: FileOutcome
  var interpreter: Interpreter
  private let traces = TraceLog()
  var captures = Captures()
  var fetches = FetchLog()
  var nextStep = 0
  /// The first lines of the commands that were judged and were as expected.
  private var passedLines: [Int] = []
  /// Why nothing more of the section, or of the file, is run.
  var sectionEnd: String?
  var fileEnd: String?

  init(
    _ script: ReplayScript, _ surroundings: ReplaySurroundings, _ observer: ReplayObserver
  ) {
    self.script = script
    self.surroundings = surroundings
    self.observer = observer
    outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    var session = Session(
      cancellation: surroundings.cancellation,
      clock: AdjustableClock(date: surroundings.date, tick: surroundings.tick),
      chance: Chance(seed: surroundings.seed))
    session.commands = surroundings.commands
    session.options.folder = FilePath.folder(of: script.path)
    session.options.styles = Styles.names
    session.options.arguments = surroundings.arguments
    session.options.traceWriter = traces.writer
    if let network = surroundings.network {
      let transports = session.transports
      transports.setNetwork(RetryingTransport(network, retry: transports.retry))
    }
    interpreter = Interpreter(session: session)
    interpreter.begin(script.lines)
  }

  mutating func run() async {
    for section in script.sections {
      var result = SectionOutcome(title: section.title, line: section.line)
      sectionEnd = nil
      let start = ContinuousClock.now
      for index in section.commands {
        await run(script.commands[index], index, in: section, &result)
      }
      let passed = (ContinuousClock.now - start).components
      result.nanoseconds =
        Int(passed.seconds) * 1_000_000_000 + Int(passed.attoseconds / 1_000_000_000)
      outcome.sections.append(result)
      if outcome.sections.count < script.sections.count { observer.ended(result) }
    }
    await finish()
    outcome.settleExpectedFailures(of: script, passed: passedLines)
    for index in outcome.sections.indices { outcome.sections[index].settleStatus() }
  }

  /// Takes what went on in the background to its end; what fails there is charged to the last command.
  private mutating func finish() async {
    var transcriber = Transcriber(
      traces: traces, limit: surroundings.outputLimit, wrote: observer.wrote)
    let ending = try? await interpreter.finish { event, session in
      try await transcriber.take(event, session)
    }
    let transcription = transcriber.finish(ending ?? .failed)
    guard let failure = transcription.failures.first, let last = script.commands.last,
      !outcome.sections.isEmpty
    else { return }
    outcome.sections[outcome.sections.count - 1].failures.append(
      picture(of: last, transcription.errors, kind: .error, message: failure.message))
  }

  private mutating func run(
    _ command: ReplayCommand, _ index: Int, in section: ReplayScript.Section,
    _ result: inout SectionOutcome
  ) async {
    let relation = surroundings.relation(of: command, in: section, of: script)
    if let reason = fileEnd ?? sectionEnd ?? (relation == .after ? "not asked for" : nil) {
      result.notRunCommands += 1
      if result.reason.isEmpty { result.reason = reason }
      return
    }
    if let reason = command.setting.reasonToSkip(surroundings) {
      if relation == .judged { result.skippedCommands += 1 } else { result.notRunCommands += 1 }
      if result.reason.isEmpty { result.reason = reason }
      return
    }
    interpreter.session.transports.refusesNetwork =
      !surroundings.allowsNetwork && !command.setting.requirements.contains("http")
    observer.aboutToRun(command)
    if nextStep < script.steps.count, let failure = await takeSteps(upTo: index) {
      result.failures.append(failure)
    }
    let transcription = await execute(command)
    let failure =
      switch verdict(on: command, transcription) {
      case .good: CommandOutcome?.none
      case .bad(let failure): failure
      case .unexpected: await mismatch(of: command, transcription)
      case .fetched: await brokenInvariant(after: command)
      }
    // What ends the file above the line that was asked for is why that is not run.
    if relation == .before, failure == nil || fileEnd == nil {
      result.notRunCommands += 1
      if result.reason.isEmpty { result.reason = "not asked for" }
      return
    }
    if let failure {
      result.failures.append(failure)
      observer.failed(failure)
      if command.isRequirement {
        sectionEnd = "the `require` of line \(command.lines.lowerBound) failed"
      }
    } else {
      result.passedCommands += 1
      passedLines.append(command.lines.lowerBound)
    }
  }

  mutating func execute(_ command: ReplayCommand) async -> Transcription {
    var transcriber = Transcriber(
      traces: traces, limit: surroundings.outputLimit, wrote: observer.wrote)
    var ending = Interpreter.Outcome.done
    if let mistake = command.mistake {
      try? await transcriber.take(.failure(mistake), interpreter.session)
      return transcriber.finish(.notParsed)
    }
    for index in command.parts.indices where ending == .done {
      guard case .line(let line) = command.parts[index] else { continue }
      let run = try? await interpreter.run(line) { event, session in
        try await transcriber.take(event, session)
        // What took too long to show is not gone on with.
        try session.cancellation.check()
      }
      ending = run ?? (surroundings.cancellation.isCancelled ? .cancelled : .failed)
    }
    return transcriber.finish(ending)
  }
}

extension ReplayCommand {
  fileprivate var isRequirement: Bool {
    parts.contains { if case .line(let line) = $0 { line.isRequirement } else { false } }
  }
}

extension ReplaySetting {
  fileprivate func reasonToSkip(_ surroundings: ReplaySurroundings) -> String? {
    if let skipReason { return skipReason }
    let missing = requirements.filter { !surroundings.facilities.contains($0) }
    return missing.isEmpty ? nil : "there is no \(missing.joined(separator: ", no ")) here"
  }
}
