import DSInterpreter
import DataTables

/// A command that has started fetches in the background.
struct BackgroundCommand {
  var command: ReplayCommand
  /// The index of its section in the script that runs.
  var section: Int
  /// Whether the command, or the section to which its script is attached, is selected.
  var isTested: Bool
  /// The fetches whose outcome has not been reported.
  var fetches: [ObjectIdentifier]
  /// The failure of the command with these lines of output.
  var failure: ([String], CommandFailure.Kind, _ message: String) -> CommandFailure
}

// Fetches in the background that no command waits for. The commands that started them are judged by
// their outcomes at the end of the script.
extension ScriptRun {
  /// Notes the fetches that a command has started.
  mutating func noteBackgroundFetches(of command: ReplayCommand, isTested: Bool) {
    let unreported = interpreter.unreportedFetches
    if unreported.isEmpty, backgroundCommands.isEmpty { return }
    let new: [ObjectIdentifier]
    if unreported.starts(with: notedFetches) {
      new = Array(unreported[notedFetches.count...])
    } else {
      keepUnreported(unreported)
      let known = Set(backgroundCommands.flatMap(\.fetches))
      new = unreported.filter { !known.contains($0) }
    }
    notedFetches = unreported
    if new.isEmpty { return }
    let start = picture(of: command)
    backgroundCommands.append(
      BackgroundCommand(
        command: command, section: outcome.sections.count, isTested: isTested, fetches: new
      ) { lines, kind, message in
        var failure = CommandFailure(line: command.lines.lowerBound, kind: kind, message: message)
        var picture = start
        picture.addActual(lines, isComplete: true)
        picture.note(
          kind == .timeout
            ? message : "the fetch in the background failed; no command below waits for it")
        failure.picture = picture.lines(canAccept: false)
        return failure
      })
  }

  /// Forgets the fetches that commands have reported. Other fetches may have their identities later.
  private mutating func keepUnreported(_ unreported: [ObjectIdentifier]) {
    let unreported = Set(unreported)
    for index in backgroundCommands.indices {
      backgroundCommands[index].fetches.removeAll { !unreported.contains($0) }
    }
    backgroundCommands.removeAll { $0.fetches.isEmpty }
  }

  /// Adds the commands of a script that has run attached to a section.
  mutating func adopt(
    _ commands: [BackgroundCommand], of attached: AttachedScript, in section: ReplayScript.Section
  ) {
    let known = Set(backgroundCommands.flatMap(\.fetches))
    backgroundCommands = commands.map { started in
      if known.contains(where: started.fetches.contains) { return started }
      var placed = started
      placed.command = started.command.moved(toLine: section.line)
      placed.section = outcome.sections.count
      placed.isTested = isTested(section)
      let (script, rerun) = (script, rerun)
      placed.failure = { lines, kind, message in
        started.failure(lines, kind, message).placed(in: section, of: script, attached, rerun)
      }
      return placed
    }
  }

  /// Waits for the fetches of each command; its failure is one of its section.
  mutating func finishBackgroundFetches() async {
    keepUnreported(interpreter.unreportedFetches)
    for started in backgroundCommands where outcome.sections.indices.contains(started.section) {
      prepare(started.command)
      var capture = newCapture()
      let ending = try? await interpreter.finish(started.fetches) { event, session in
        try await capture.take(event, session)
      }
      let captured = capture.finish(ending ?? .failed)
      guard let failure = failure(of: started, captured) else { continue }
      outcome.sections[started.section].failures.append(failure)
      outcome.sections[started.section].failures.sort { $0.line < $1.line }
      if passedLines.contains(failure.line) {
        passedLines.removeAll { $0 == failure.line }
        outcome.sections[started.section].passedCommands -= 1
      }
    }
    backgroundCommands = []
    _ = try? await interpreter.finish { _, _ in }
  }

  private func failure(
    of started: BackgroundCommand, _ captured: CapturedOutput
  ) -> CommandFailure? {
    guard started.isTested else { return nil }
    if captured.ending == .cancelled {
      environment.cancellation.reset()
      return started.failure(
        [], .timeout,
        "a fetch in the background \(environment.exceededTime(of: started.command.setting.timeout))"
      )
    }
    return captured.failures.first.map { failure in
      let kind: CommandFailure.Kind = failure.kind == .cassette ? .cassette : .error
      return started.failure(captured.errors, kind, failure.message)
    }
  }
}
