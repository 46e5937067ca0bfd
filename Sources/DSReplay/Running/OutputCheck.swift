import DSInterpreter
import DataSources
import DataTables

// The check of a command's output and of its fetches.
extension ScriptRun {
  /// The result of a check that does not read sources. It is final for most commands.
  enum Verdict {
    case passed
    indirect case failed(CommandFailure)
    /// The output is not as expected: see ``mismatch(of:_:)``.
    case mismatch
    /// The output is as expected; its fetches must be checked: see ``brokenInvariant(after:)``.
    case fetched
  }

  mutating func verdict(on command: ReplayCommand, _ captured: CapturedOutput) -> Verdict {
    if let failure = endingFailure(of: command, captured) { return .failed(failure) }
    if !OutputCheck.isAsExpected(command, captured, script, &captures) { return .mismatch }
    return environment.checksInvariants && fetches.hasNewFetches(of: interpreter.session)
      ? .fetched : .passed
  }

  mutating func mismatch(
    of command: ReplayCommand, _ captured: CapturedOutput
  ) async -> CommandFailure {
    let check = OutputCheck(
      command, captured, script,
      picture: { [script, rerun, section = outcome.sections.count] in
        FailurePicture(command, in: script, section: section, rerun: rerun)
      })
    return await check.failure(&captures, in: interpreter.session)
  }

  mutating func brokenInvariant(after command: ReplayCommand) async -> CommandFailure? {
    let broken = await fetches.brokenInvariants(in: interpreter.session)
    if broken.isEmpty { return nil }
    return picture(
      of: command, broken, kind: .invariant, message: "a fetch violated an invariant of its source")
  }

  /// A failure that follows from how the command ended, regardless of its expectations.
  private mutating func endingFailure(
    of command: ReplayCommand, _ captured: CapturedOutput
  ) -> CommandFailure? {
    if case .quit(let status) = captured.ending {
      fileEndReason = "the `quit` of line \(command.lines.lowerBound) ended the script"
      if status != 0 {
        return picture(
          of: command, [], kind: .error, message: "the script quit with status \(status)")
      }
      let rest = script.commands.count { $0.lines.lowerBound > command.lines.lowerBound }
      if rest > 0 {
        return picture(
          of: command, [], kind: .error,
          message: "the script quits here; \(counted(rest, "command")) below it would never run")
      }
    }
    if captured.ending == .cancelled {
      environment.cancellation.reset()
      return picture(
        of: command, captured.output + captured.errorsBesidesCancellation, kind: .timeout,
        message: "the command " + environment.exceededTime(of: command.setting.timeout))
    }
    if captured.isTruncated {
      let limit = environment.outputLimit
      return picture(
        of: command, Array(captured.output.prefix(3)), kind: .limit,
        message: "the output exceeds \(limit) bytes")
    }
    return nil
  }

  func picture(of command: ReplayCommand) -> FailurePicture {
    let section = min(outcome.sections.count, script.sections.count - 1)
    return FailurePicture(command, in: script, section: section, rerun: rerun)
  }

  func picture(
    of command: ReplayCommand, _ lines: [String], kind: CommandFailure.Kind, message: String
  ) -> CommandFailure {
    var failure = CommandFailure(line: command.lines.lowerBound, kind: kind, message: message)
    var picture = picture(of: command)
    picture.addActual(lines)
    picture.note(message)
    failure.picture = picture.lines(canAccept: false)
    return failure
  }
}

extension CapturedOutput {
  /// The lines of standard error without those about the cancellation of the command itself.
  fileprivate var errorsBesidesCancellation: [String] {
    let cancellations = failures.filter { $0.kind == .cancelled }.map { "error: " + $0.message }
    return errors.filter { !cancellations.contains($0) }
  }
}

extension ScriptRun {
  /// The command that runs a failed test of this run again.
  var rerun: RerunCommand { RerunCommand(of: environment) }
}

extension RerunCommand {
  init(of environment: ReplayEnvironment) {
    self.init(
      command: environment.rerun, arguments: environment.arguments, seed: environment.orderSeed,
      hasUsualValues: environment.values.isEmpty)
  }
}

/// Compares the captured output of a command with its expectations.
struct OutputCheck {
  private let command: ReplayCommand
  private let captured: CapturedOutput
  private let script: ReplayScript
  /// Called only for a failure.
  private let makePicture: () -> FailurePicture

  init(
    _ command: ReplayCommand, _ captured: CapturedOutput, _ script: ReplayScript,
    picture: @escaping () -> FailurePicture
  ) {
    self.command = command
    self.captured = captured
    self.script = script
    makePicture = picture
  }

  /// Whether the output is as expected; if it is, its captures are added.
  static func isAsExpected(
    _ command: ReplayCommand, _ captured: CapturedOutput, _ script: ReplayScript,
    _ captures: inout Captures
  ) -> Bool {
    if !AbsentText.occurrences(of: command, in: captured).isEmpty { return false }
    guard command.expectsOutput else { return captured.failures.isEmpty }
    guard
      let expectation = try? expectation(of: command, in: script, actual: captured.output),
      expectation.files.allSatisfy({ $0.problem == nil })
    else { return false }
    var known = captures
    let setting = command.setting
    let isAsExpected =
      isMatch(of: expectation, captured, setting, &known)
      && isMatch(expectation.errors, captured.errors, isUnordered: false, &known)
    if isAsExpected { captures = known }
    return isAsExpected
  }

  /// The failure of a command whose output is not as expected.
  ///
  /// - Parameter captures: the captures so far; those of this command are added.
  func failure(_ captures: inout Captures, in session: Session) async -> CommandFailure {
    let occurrences = AbsentText.occurrences(of: command, in: captured)
    guard command.expectsOutput else {
      return captured.failures.isEmpty
        ? unwantedText(occurrences) : await unexpectedError(in: session)
    }
    do throws(SideFileError) {
      let expectation = try Self.expectation(
        of: command, in: script, actual: captured.output)
      return await mismatch(expectation, occurrences, &captures, in: session)
    } catch {
      return unreadableFile(error)
    }
  }

  private static func expectation(
    of command: ReplayCommand, in script: ReplayScript, actual: [String]
  ) throws(SideFileError) -> StreamExpectation {
    try StreamExpectation(command.expectations, inFolderOf: script.path, actual: actual)
  }

  private static func isMatch(
    of expectation: StreamExpectation, _ captured: CapturedOutput, _ setting: ReplaySetting,
    _ captures: inout Captures
  ) -> Bool {
    let isUnordered = setting.isUnordered
    let isPlain = setting.ignoredKeys.isEmpty && !expectation.hasDigests
    if isPlain {
      return isMatch(
        expectation.output, captured.output, isUnordered: isUnordered, &captures)
    }
    let lines = expectation.lines(captured, setting, comparesCells: false)
    return isMatch(lines.expected, lines.actual, isUnordered: isUnordered, &captures)
  }

  static func isMatch(
    _ expected: [ExpectedLine], _ actual: [String], isUnordered: Bool, _ captures: inout Captures
  ) -> Bool {
    if isUnordered {
      let matcher = UnorderedMatcher(expected, actual, captures: captures)
      if matcher.isMatch { captures = matcher.captures }
      return matcher.isMatch
    }
    if expected.contains(where: \.isAnyLines) {
      var matcher = BlockMatcher(expected, actual, captures: captures)
      let isMatch = matcher.matches()
      if isMatch { captures = matcher.captures }
      return isMatch
    }
    guard expected.count == actual.count else { return false }
    if expected.isEmpty { return true }
    return zip(expected, actual).allSatisfy { $0.matches($1, &captures) }
  }

  private var kind: CommandFailure.Kind {
    guard let failure = captured.failures.first else { return .mismatch }
    // A request missing from the cassette is not a result of the test.
    if failure.kind == .cassette { return .cassette }
    if command.expectations.contains(where: \.isError) { return .mismatch }
    return command.isCheck && failure.kind == .expectation ? .expectation : .error
  }

  private func unexpectedError(in session: Session) async -> CommandFailure {
    let kind = kind
    var failure = CommandFailure(
      line: command.lines.lowerBound, kind: kind,
      message: captured.failures.first?.message ?? "")
    var picture = makePicture()
    picture.addActual(captured.errors, isComplete: true)
    for line in await RowExplanations(session).lines(command.text, []) { picture.note(line) }
    failure.picture = picture.lines(canAccept: false)
    return failure
  }

  private func unreadableFile(_ error: SideFileError) -> CommandFailure {
    var failure = CommandFailure(
      line: command.lines.lowerBound, kind: .file, message: error.message)
    var picture = makePicture()
    picture.note("line \(error.line): " + error.message)
    failure.picture = picture.lines(canAccept: false)
    return failure
  }

  /// The failure of a command whose output contains a text that must not occur.
  private func unwantedText(_ occurrences: [AbsentText]) -> CommandFailure {
    var failure = CommandFailure(
      line: command.lines.lowerBound, kind: .mismatch, message: occurrences.first?.message ?? "")
    var picture = makePicture()
    picture.add(occurrences, showsLines: true)
    failure.picture = picture.lines(canAccept: false)
    return failure
  }

  private func mismatch(
    _ expectation: StreamExpectation, _ occurrences: [AbsentText], _ captures: inout Captures,
    in session: Session
  ) async -> CommandFailure {
    let comparison = OutputComparison(
      command, expectation, captured, captures: captures)
    captures = comparison.captures
    let problems = expectation.files.compactMap(\.problem)
    let kind = kind == .mismatch && !problems.isEmpty ? .file : kind
    var failure = CommandFailure(
      line: command.lines.lowerBound, kind: kind,
      message: captured.failures.first?.message ?? problems.first?.message
        ?? occurrences.first?.message ?? "the output is not as expected")
    var picture = makePicture()
    for problem in problems { picture.note("line \(problem.line): " + problem.message) }
    let absences = expectation.absences(comparison.before)
    if failure.kind == .mismatch, let absence = absences.first { failure.message = absence }
    picture.compare(
      comparison.output, expectation.output, comparison.lines.shown, captures,
      cells: comparison.lines)
    picture.compare(comparison.errors, expectation.errors, captured.errors, captures)
    picture.add(occurrences, showsLines: false)
    let extra = comparison.output.compactMap { step in
      if case .extra(let line) = step { comparison.lines.shown[line] } else { nil }
    }
    if extra.contains(where: comparison.lines.digests.contains) {
      picture.note("expect the lines in a file, as in `#< FILE`, to see which of them differ")
    }
    for line in await RowExplanations(session).lines(command.text, extra) { picture.note(line) }
    for note in absences + expectation.values(comparison.before) { picture.note(note) }
    // A text that must not occur is not removed by writing the output, and a value that was not
    // captured cannot be compared.
    if kind.allowsUpdate, occurrences.isEmpty, absences.isEmpty {
      failure.correction = comparison.correction(&captures)
      failure.differingKeys = comparison.lines.differingKeys(comparison.output) ?? []
    }
    failure.picture = picture.lines(canAccept: failure.correction != nil)
    return failure
  }
}
