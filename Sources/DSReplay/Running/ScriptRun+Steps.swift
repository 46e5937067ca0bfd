import DSInterpreter
import DataSources
import DataTables

// What directives set for the commands that follow.
extension ScriptRun {
  /// Does what directives before a command ask for.
  mutating func takeSteps(upTo index: Int) async -> CommandOutcome? {
    var failure: CommandOutcome?
    while nextStep < script.steps.count, script.steps[nextStep].command <= index {
      let step = script.steps[nextStep]
      nextStep += 1
      switch step.directive {
      case .cassette(let file): failure = await insert(cassette: file, at: step.line) ?? failure
      case .clock(let setting): set(interpreter.session.clock, setting)
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
