import DSInterpreter
import DataSources

extension ReplayRunner {
  /// Runs the commands of a script without judging them.
  /// - Returns: what each told, up to a `quit`.
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
