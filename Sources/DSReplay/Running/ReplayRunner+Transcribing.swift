import DSInterpreter
import DataSources

extension ReplayRunner {
  /// Runs the commands of a script without judging them.
  /// - Returns: what each told, up to a `quit`.
  static func transcriptions(
    of script: ReplayScript, _ surroundings: ReplaySurroundings
  ) async -> [Transcription] {
    await FileOverlay.whileFresh {
      var run = ScriptRun(script, surroundings, ReplayObserver())
      var transcriptions: [Transcription] = []
      for command in script.commands {
        let transcription = await run.execute(command)
        transcriptions.append(transcription)
        if case .quit = transcription.ending { break }
      }
      return transcriptions
    }
  }
}
