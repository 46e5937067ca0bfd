import DSInterpreter
import DataSources
import DataTables

// What came of a command, held against what is expected of it.
extension ScriptRun {
  /// What can be said of a command without looking at sources: of most, all.
  enum Verdict {
    case good
    indirect case bad(CommandOutcome)
    /// It told something else than is expected: see ``mismatch(of:_:)``.
    case unexpected
    /// It is good if what it fetched is: see ``brokenInvariant(after:)``.
    case fetched
  }

  mutating func verdict(on command: ReplayCommand, _ transcription: Transcription) -> Verdict {
    if let failure = oddEnding(of: command, transcription) { return .bad(failure) }
    if !Judgement.isAsExpected(command, transcription, script, &captures) { return .unexpected }
    return surroundings.checksInvariants && fetches.hasNews(of: interpreter.session)
      ? .fetched : .good
  }

  mutating func mismatch(
    of command: ReplayCommand, _ transcription: Transcription
  ) async -> CommandOutcome {
    let judgement = Judgement(
      command, transcription, script,
      picture: { [script, surroundings, section = outcome.sections.count] in
        FailurePicture(command, in: script, section: section, rerun: surroundings.rerun)
      })
    return await judgement.failure(&captures, in: interpreter.session)
  }

  mutating func brokenInvariant(after command: ReplayCommand) async -> CommandOutcome? {
    let broken = await fetches.brokenInvariants(in: interpreter.session)
    if broken.isEmpty { return nil }
    return picture(
      of: command, broken, kind: .invariant, message: "a source is inconsistent after this command")
  }

  /// What is wrong with how a command ended, whatever is expected of its output.
  private mutating func oddEnding(
    of command: ReplayCommand, _ transcription: Transcription
  ) -> CommandOutcome? {
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
    return nil
  }

  private func picture(of command: ReplayCommand) -> FailurePicture {
    let section = min(outcome.sections.count, script.sections.count - 1)
    return FailurePicture(command, in: script, section: section, rerun: surroundings.rerun)
  }

  func picture(
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
