import DSInterpreter
import DataSources
import DataTables

// What came of a command, held against what is expected of it.
extension ScriptRun {
  /// What can be said of a command without looking at sources: of most, all.
  enum Verdict {
    case good
    indirect case bad(CommandFailure)
    /// It told something else than is expected: see ``mismatch(of:_:)``.
    case unexpected
    /// It is good if what it fetched is: see ``brokenInvariant(after:)``.
    case fetched
  }

  mutating func verdict(on command: ReplayCommand, _ captured: CapturedOutput) -> Verdict {
    if let failure = endingFailure(of: command, captured) { return .bad(failure) }
    if !OutputCheck.isAsExpected(command, captured, script, &captures) { return .unexpected }
    return environment.checksInvariants && fetches.hasNews(of: interpreter.session)
      ? .fetched : .good
  }

  mutating func mismatch(
    of command: ReplayCommand, _ captured: CapturedOutput
  ) async -> CommandFailure {
    let check = OutputCheck(
      command, captured, script,
      picture: { [script, environment, section = outcome.sections.count] in
        FailurePicture(command, in: script, section: section, rerun: environment.rerun)
      })
    return await check.failure(&captures, in: interpreter.session)
  }

  mutating func brokenInvariant(after command: ReplayCommand) async -> CommandFailure? {
    let broken = await fetches.brokenInvariants(in: interpreter.session)
    if broken.isEmpty { return nil }
    return picture(
      of: command, broken, kind: .invariant, message: "what should hold after a fetch does not")
  }

  /// What is wrong with how a command ended, whatever is expected of its output.
  private mutating func endingFailure(
    of command: ReplayCommand, _ captured: CapturedOutput
  ) -> CommandFailure? {
    if case .quit(let status) = captured.ending {
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
    if captured.ending == .cancelled {
      environment.cancellation.reset()
      return picture(
        of: command, captured.output + captured.errors, kind: .timeout,
        message: "it took too long and was ended")
    }
    if captured.isTruncated {
      let limit = environment.outputLimit
      return picture(
        of: command, Array(captured.output.prefix(3)), kind: .limit,
        message: "it told more than \(limit) bytes")
    }
    return nil
  }

  private func picture(of command: ReplayCommand) -> FailurePicture {
    let section = min(outcome.sections.count, script.sections.count - 1)
    return FailurePicture(command, in: script, section: section, rerun: environment.rerun)
  }

  func picture(
    of command: ReplayCommand, _ lines: [String], kind: CommandFailure.Kind, message: String
  ) -> CommandFailure {
    var outcome = CommandFailure(line: command.lines.lowerBound, kind: kind, message: message)
    var picture = picture(of: command)
    picture.addActual(lines)
    picture.note(message)
    outcome.picture = picture.lines(canAccept: false)
    return outcome
  }
}
