import DSInterpreter
import DataSources
import DataTables

/// The directives of a script that change the environment of its run, each before the next command.
struct EnvironmentSteps {
  private let script: ReplayScript
  private let environment: ReplayEnvironment
  /// The directives that have not taken effect, in order.
  private var pending: ArraySlice<ReplayScript.Step>
  /// The variables of `environment` directives.
  private var variables: [String: String] = [:]

  /// - Parameter outer: the directives of the script to which the script is attached.
  init(
    of script: ReplayScript, _ environment: ReplayEnvironment,
    continuing outer: EnvironmentSteps? = nil
  ) {
    self.script = script
    self.environment = environment
    pending = script.steps[...]
    variables = outer?.variables ?? [:]
  }

  var hasNext: Bool { !pending.isEmpty }

  /// Forgets the directives of a section above its commands that did not run.
  ///
  /// - Parameter isCutShort: whether the section did not run to its end: then also those below its last
  ///   command.
  mutating func endSection(_ index: Int, isCutShort: Bool) {
    let section = script.sections[index]
    let next = index + 1 < script.sections.count ? script.sections[index + 1].line : .max
    // Usually, none is left.
    guard let last = pending.last, last.line > section.line else { return }
    pending.removeAll { step in
      section.line < step.line && step.line < next
        && (isCutShort || step.command < section.commands.upperBound)
    }
  }

  /// Keeps the variables of an attached script.
  mutating func takeVariables(of attached: EnvironmentSteps) { variables = attached.variables }

  /// Applies the directives above a command.
  ///
  /// - Parameter section: the index of its section, for failures.
  mutating func run(
    upTo index: Int, section: Int, in interpreter: inout Interpreter
  ) async -> CommandFailure? {
    var failure: CommandFailure?
    while let step = pending.first, step.command <= index {
      pending.removeFirst()
      switch step.directive {
      case .cassette(let file):
        let message = await insert(cassette: file, in: &interpreter)
        failure = message.map { self.failure(.cassetteFile, $0, at: step, section) } ?? failure
      case .clock(let setting): set(interpreter.session.clock, setting)
      case .advance(let time):
        guard interpreter.session.clock.isVirtual else {
          failure = self.failure(.error, Self.needsVirtualClock, at: step, section)
          break
        }
        await interpreter.session.advanceClock(by: time)
      case .change(let change):
        let message = make(change, in: interpreter.session.options.folder)
        failure = message.map { self.failure(.file, $0, at: step, section) } ?? failure
      case .seed(let seed):
        if environment.orderSeed != nil { break }
        interpreter.session.randomNumbers.seed(seed)
        DeterministicExecutor.current?.seed(seed)
      case .set(let name, let value):
        let value = environment.values[name] ?? value
        interpreter.session.bind(name, to: .value(value))
      case .environment(let name, let value):
        variables[name] = value
        interpreter.session.options.environment = { [variables] name in
          try variables[name] ?? Facility.value(ofVariable: name)
        }
      default: break
      }
    }
    return failure
  }

  private static let needsVirtualClock =
    "`advance` needs the virtual clock, but the clock is that of the machine here; "
    + "write `#% clock virtual` above"

  private func set(_ clock: AdjustableClock, _ setting: ClockSetting) {
    switch setting {
    case .date(let date): clock.freeze(at: date)
    case .virtual: clock.freeze()
    case .real: clock.followSystemTime()
    }
  }

  /// Changes a file as another program would; relative paths start from the script's folder.
  /// - Returns: the reason why it could not be changed.
  private func make(_ change: OutsideChange, in folder: String) -> String? {
    do throws(TableError) {
      try change.at(FilePath.resolve(change.path, in: folder)).make()
      return nil
    } catch {
      return error.message
    }
  }

  /// Replays responses from a cassette from here on, as the command `cassette` does.
  /// - Returns: the reason why it could not be inserted.
  private func insert(cassette file: String, in interpreter: inout Interpreter) async -> String? {
    let path = FilePath.resolve(file, in: interpreter.session.options.folder)
    do throws(TableError) {
      try SafeMode.checkReading(path)
    } catch {
      return error.message
    }
    if interpreter.session.transports.refusesNetwork, !WholeFile.exists(path) {
      return "the cassette `\(file)` does not exist; write `#% require http` to send requests, or "
        + "record it at the prompt with `cassette \(Value.string(file).json)`"
    }
    var message: String?
    let text = ScriptText("cassette \(Value.string(file).json)")
    let commands = ParsedCommand.all(
      in: Span(text, 0..<text.bytes.count), commands: interpreter.session.commands)
    // As a line, because the end of a script would end the fetches in the background.
    for case .line(let command) in commands {
      _ = try? await interpreter.run(command) { event, _ in
        if case .failure(let diagnostic) = event { message = diagnostic.message }
      }
    }
    return message
  }

  private func failure(
    _ kind: CommandFailure.Kind, _ message: String, at step: ReplayScript.Step, _ section: Int
  ) -> CommandFailure {
    var failure = CommandFailure(line: step.line, kind: kind, message: message)
    failure.picture = FailurePicture.lines(
      ofDirectiveAt: step.line, in: script, section: section, note: message,
      rerun: RerunCommand(of: environment))
    return failure
  }
}
