import DSInterpreter
import DataSources
import DataTables

// What directives set for the commands that follow.
extension ScriptRun {
  /// Does what directives before a command ask for.
  mutating func runSteps(upTo index: Int) async -> CommandFailure? {
    var failure: CommandFailure?
    while nextStep < script.steps.count, script.steps[nextStep].command <= index {
      let step = script.steps[nextStep]
      nextStep += 1
      switch step.directive {
      case .cassette(let file): failure = await insert(cassette: file, at: step.line) ?? failure
      case .clock(let setting): set(interpreter.session.clock, setting)
      case .seed(let seed): interpreter.session.chance.seed(seed)
      default: break
      }
    }
    return failure
  }

  private func set(_ clock: AdjustableClock, _ setting: ClockSetting) {
    switch setting {
    case .date(let date): clock.standStill(at: date)
    case .virtual: clock.standStill()
    case .real: clock.followMachine()
    }
  }

  /// Has a cassette answer from here on, as the verb of that name does.
  private mutating func insert(cassette file: String, at line: Int) async -> CommandFailure? {
    var message: String?
    let command = "cassette \(Value.string(file).json)"
    _ = try? await interpreter.run(command) { event, _ in
      if case .failure(let diagnostic) = event { message = diagnostic.message }
    }
    return message.map {
      var failure = CommandFailure(line: line, kind: .cassette, message: $0)
      failure.picture = FailurePicture.ofLine(
        line, in: script, section: outcome.sections.count, note: $0)
      return failure
    }
  }
}
