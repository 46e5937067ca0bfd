import DSInterpreter
import DataSources
import DataTables

/// Runs scripts as tests in this process, each in a fresh session.
package struct ReplayRunner: Sendable {
  package var environment: ReplayEnvironment

  package init(_ environment: ReplayEnvironment = ReplayEnvironment()) {
    self.environment = environment
  }

  /// Runs a script and checks its output.
  ///
  /// A script that does not parse is not run. All failures are reported, not only the first. A
  /// failed `require` ends its section; `quit` and `onlyLine` end the file. Commands write their
  /// files to a temporary folder, which is removed afterwards.
  package func run(
    _ script: ReplayScript, observer: ReplayObserver = ReplayObserver()
  ) async -> FileOutcome {
    guard script.mistakes.isEmpty else { return Self.unreadable(script) }
    let engines = script.engines
    guard !engines.isEmpty, environment.engine == nil else {
      return await runOnce(script, observer: observer)
    }
    var outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    for engine in engines {
      var runner = self
      runner.environment.engine = engine
      var part = await runner.runOnce(script, observer: observer)
      for index in part.sections.indices { part.sections[index].title.append(engine.rawValue) }
      outcome.sections += part.sections
    }
    return outcome
  }

  private func runOnce(_ script: ReplayScript, observer: ReplayObserver) async -> FileOutcome {
    await FileOverlay.withTemporaryFolder {
      var run = ScriptRun(script, environment, observer)
      await run.run()
      return run.outcome
    }
  }

  private static func unreadable(_ script: ReplayScript) -> FileOutcome {
    var outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    outcome.mistakes = script.mistakes.map { $0.plainPicture }
    var section = SectionOutcome(title: nil, line: script.mistakes.first?.place?.line ?? 1)
    section.status = .failed
    section.reason = "the script does not parse"
    outcome.sections = [section]
    return outcome
  }

  /// Runs the commands of a script without checking their output.
  /// - Returns: the output of each command, up to a `quit`.
  static func capturedOutputs(
    of script: ReplayScript, _ environment: ReplayEnvironment
  ) async -> [CapturedOutput] {
    await FileOverlay.withTemporaryFolder {
      var run = ScriptRun(script, environment, ReplayObserver())
      var capturedOutputs: [CapturedOutput] = []
      for command in script.commands {
        let captured = await run.execute(command)
        capturedOutputs.append(captured)
        if case .quit = captured.ending { break }
      }
      return capturedOutputs
    }
  }
}

extension String? {
  /// Adds a clause to the title of a section.
  fileprivate mutating func append(_ clause: String) {
    self = map { "\($0), \(clause)" } ?? clause
  }
}
