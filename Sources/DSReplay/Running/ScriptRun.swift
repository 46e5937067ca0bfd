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
  private(set) var interpreter: Interpreter
  private let traces = TraceLog()
  private var captures = Captures()
  private var fetches = FetchLog()
  private var nextStep = 0
  /// Why nothing more of the section, or of the file, is run.
  private var sectionEnd: String?
  private var fileEnd: String?

  init(
    _ script: ReplayScript, _ surroundings: ReplaySurroundings, _ observer: ReplayObserver
  ) {
    self.script = script
    self.surroundings = surroundings
    self.observer = observer
    outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    var session = Session(cancellation: surroundings.cancellation)
    session.commands = surroundings.commands
    session.options.folder = FilePath.folder(of: script.path)
    session.options.styles = Styles.names
    session.options.arguments = surroundings.arguments
    session.options.traceWriter = traces.writer
    if let network = surroundings.network { session.transports.setNetwork(network) }
    interpreter = Interpreter(session: session)
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
    outcome.settleExpectedFailures(of: script)
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
      result.skippedCommands += 1
      if result.reason.isEmpty { result.reason = reason }
      return
    }
    interpreter.session.transports.refusesNetwork =
      !surroundings.allowsNetwork && !command.setting.requirements.contains("http")
    observer.aboutToRun(command)
    if let failure = await takeSteps(upTo: index) { result.failures.append(failure) }
    let transcription = await execute(command)
    let failure = await judge(command, transcription, in: section)
    if relation == .before {
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
    }
  }

  mutating func execute(_ command: ReplayCommand) async -> Transcription {
    var transcriber = Transcriber(
      traces: traces, limit: surroundings.outputLimit, wrote: observer.wrote)
    var ending = Interpreter.Outcome.done
    for part in command.parts {
      if case .failure(let mistake) = part.line {
        try? await transcriber.take(.failure(mistake), interpreter.session)
        return transcriber.finish(.notParsed)
      }
    }
    for part in command.parts where ending == .done {
      guard case .success(let line) = part.line else { continue }
      let run = try? await interpreter.run(line) { event, session in
        try await transcriber.take(event, session)
      }
      ending = run ?? .failed
    }
    return transcriber.finish(ending)
  }

  private mutating func judge(
    _ command: ReplayCommand, _ transcription: Transcription, in section: ReplayScript.Section
  ) async -> CommandOutcome? {
    if case .quit(let status) = transcription.ending {
      fileEnd = "the `quit` of line \(command.lines.lowerBound) ended the script"
      if status != 0 {
        return picture(
          of: command, [], kind: .error, message: "the script quit with status \(status)")
      }
      let rest = script.commands.count { $0.lines.lowerBound > command.lines.lowerBound }
      if rest > 0 {
        return picture(
          of: command, [], kind: .error,
          message: "the script quits here; \(counted(rest, "command")) below it would never be run")
      }
    }
    if transcription.ending == .cancelled {
      surroundings.cancellation.reset()
      return picture(
        of: command, transcription.output + transcription.errors, kind: .timeout,
        message: "it took too long and was ended")
    }
    if transcription.isCut {
      let limit = surroundings.outputLimit
      return picture(
        of: command, Array(transcription.output.prefix(3)), kind: .limit,
        message: "it told more than \(limit) bytes")
    }
    if !Judgement.isAsExpected(command, transcription, script, &captures) {
      let judgement = Judgement(
        command, transcription, script,
        picture: { [script, surroundings, section = outcome.sections.count] in
          FailurePicture(command, in: script, section: section, rerun: surroundings.rerun)
        })
      return await judgement.failure(&captures, in: interpreter.session)
    }
    guard surroundings.checksInvariants else { return nil }
    let broken = await fetches.brokenInvariants(in: interpreter.session)
    if broken.isEmpty { return nil }
    return picture(
      of: command, broken, kind: .invariant, message: "what should hold after a fetch does not")
  }

  private func picture(of command: ReplayCommand) -> FailurePicture {
    let section = min(outcome.sections.count, script.sections.count - 1)
    return FailurePicture(command, in: script, section: section, rerun: surroundings.rerun)
  }

  private func picture(
    of command: ReplayCommand, _ told: [String], kind: CommandOutcome.Kind, message: String
  ) -> CommandOutcome {
    var outcome = CommandOutcome(line: command.lines.lowerBound, kind: kind, message: message)
    var picture = picture(of: command)
    picture.tell(told)
    picture.note(message)
    outcome.picture = picture.lines(canAccept: false)
    return outcome
  }
}

// What is checked and done beside the commands.
extension ScriptRun {
  /// Does what directives before a command ask for.
  private mutating func takeSteps(upTo index: Int) async -> CommandOutcome? {
    var failure: CommandOutcome?
    while nextStep < script.steps.count, script.steps[nextStep].command <= index {
      let step = script.steps[nextStep]
      nextStep += 1
      if case .cassette(let file) = step.directive {
        failure = await insert(cassette: file, at: step.line) ?? failure
      }
    }
    return failure
  }

  /// Has a cassette answer from here on, as the verb of that name does.
  private mutating func insert(cassette file: String, at line: Int) async -> CommandOutcome? {
    var message: String?
    let command = "cassette \(Value.string(file).json)"
    _ = try? await interpreter.run(command) { event, _ in
      if case .failure(let diagnostic) = event { message = diagnostic.message }
    }
    return message.map {
      var failure = CommandOutcome(line: line, kind: .cassette, message: $0)
      failure.picture = FailurePicture.ofLine(
        line, in: script, section: outcome.sections.count, note: $0)
      return failure
    }
  }
}

extension ReplayCommand {
  fileprivate var isRequirement: Bool {
    parts.contains { if case .success(let line) = $0.line { line.isRequirement } else { false } }
  }
}

extension ReplaySetting {
  fileprivate func reasonToSkip(_ surroundings: ReplaySurroundings) -> String? {
    if let skipReason { return skipReason }
    let missing = requirements.filter { !surroundings.facilities.contains($0) }
    return missing.isEmpty ? nil : "there is no \(missing.joined(separator: ", no ")) here"
  }
}

extension ReplaySurroundings {
  fileprivate enum Relation { case judged, before, after }

  /// Where a command stands, seen from the line that was asked for.
  fileprivate func relation(
    of command: ReplayCommand, in section: ReplayScript.Section, of script: ReplayScript
  ) -> Relation {
    guard let onlyLine else { return .judged }
    let asked = script.selection(at: onlyLine)
    if command.lines.lowerBound < asked.lowerBound { return .before }
    return command.lines.lowerBound > asked.upperBound ? .after : .judged
  }
}

extension ReplayScript {
  /// The lines of the command at a line or above it, or of the section that begins there.
  fileprivate func selection(at line: Int) -> ClosedRange<Int> {
    if let section = sections.first(where: { $0.line == line && $0.title != nil }) {
      let last = section.commands.last.map { commands[$0].lastLine } ?? line
      return line...max(line, last)
    }
    guard let command = commands.last(where: { $0.lines.lowerBound <= line }) else {
      return line...line
    }
    return command.lines.lowerBound...max(command.lines.lowerBound, command.lastLine)
  }
}
