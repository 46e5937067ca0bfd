import DSInterpreter

extension ReplayRunner {
  /// Runs the commands of a script without judging them.
  /// - Returns: what each told, up to a `quit`.
  static func transcriptions(
    of script: ReplayScript, commands: CommandTable
  ) async -> [Transcription] {
    var surroundings = ReplaySurroundings()
    surroundings.commands = commands
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
