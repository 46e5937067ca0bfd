import DSInterpreter
import DataSources
import DataTables

/// Holds what a command told against what is expected of it.
struct Judgement {
  private let command: ReplayCommand
  private let transcription: Transcription
  private let script: ReplayScript
  /// Made when there is a failure to show.
  private let makePicture: () -> FailurePicture

  init(
    _ command: ReplayCommand, _ transcription: Transcription, _ script: ReplayScript,
    picture: @escaping () -> FailurePicture
  ) {
    self.command = command
    self.transcription = transcription
    self.script = script
    makePicture = picture
  }

  /// Whether a command told what is expected of it; what its holes took is added to the captures then.
  static func isAsExpected(
    _ command: ReplayCommand, _ transcription: Transcription, _ script: ReplayScript,
    _ captures: inout Captures
  ) -> Bool {
    guard command.expectsOutput else { return transcription.failures.isEmpty }
    guard
      let expectation = try? expectation(of: command, in: script, told: transcription.output),
      expectation.files.allSatisfy({ $0.problem == nil })
    else { return false }
    var known = captures
    let isAsExpected =
      isMatch(
        expectation.output, transcription.output, isUnordered: command.setting.isUnordered, &known)
      && isMatch(expectation.errors, transcription.errors, isUnordered: false, &known)
    if isAsExpected { captures = known }
    return isAsExpected
  }

  /// What is told of a command that is not as expected.
  ///
  /// - Parameter captures: what holes took; those of this command are added.
  func failure(_ captures: inout Captures, in session: Session) async -> CommandOutcome {
    guard command.expectsOutput else { return await unexpectedError(in: session) }
    do throws(SideFileError) {
      let expectation = try Self.expectation(
        of: command, in: script, told: transcription.output)
      return await mismatch(expectation, &captures, in: session)
    } catch {
      return unreadableFile(error)
    }
  }

  private static func expectation(
    of command: ReplayCommand, in script: ReplayScript, told: [String]
  ) throws(SideFileError) -> StreamExpectation {
    try StreamExpectation(command.expectations, besideScript: script.path, told: told)
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
    return zip(expected, actual).allSatisfy { $0.takes($1, &captures) }
  }

  private var kind: CommandOutcome.Kind {
    guard let failure = transcription.failures.first else { return .mismatch }
    // A request that is on no cassette says nothing of what the script tests.
    if failure.kind == .cassette { return .cassette }
    if command.expectations.contains(where: \.isError) { return .mismatch }
    return command.isCheck && failure.kind == .expectation ? .expectation : .error
  }

  private func unexpectedError(in session: Session) async -> CommandOutcome {
    let kind = kind
    var outcome = CommandOutcome(
      line: command.lines.lowerBound, kind: kind,
      message: transcription.failures.first?.message ?? "")
    var picture = makePicture()
    picture.tell(transcription.errors)
    for line in await Explanations(session).lines(command.text, []) { picture.note(line) }
    outcome.picture = picture.lines(canAccept: false)
    return outcome
  }

  private func unreadableFile(_ error: SideFileError) -> CommandOutcome {
    var outcome = CommandOutcome(
      line: command.lines.lowerBound, kind: .file, message: error.message)
    var picture = makePicture()
    picture.note("line \(error.line): " + error.message)
    outcome.picture = picture.lines(canAccept: false)
    return outcome
  }

  private func mismatch(
    _ expectation: StreamExpectation, _ captures: inout Captures, in session: Session
  ) async -> CommandOutcome {
    let comparison = OutputComparison(
      command, expectation, transcription, captures: captures)
    captures = comparison.captures
    let problems = expectation.files.compactMap(\.problem)
    let kind = kind == .mismatch && !problems.isEmpty ? .file : kind
    var outcome = CommandOutcome(
      line: command.lines.lowerBound, kind: kind,
      message: transcription.failures.first?.message ?? problems.first?.message
        ?? "the output is not as expected")
    var picture = makePicture()
    for problem in problems { picture.note("line \(problem.line): " + problem.message) }
    picture.compare(comparison.output, expectation.output, transcription.output, captures)
    picture.compare(comparison.errors, expectation.errors, transcription.errors, captures)
    let extra = comparison.output.compactMap { step in
      if case .extra(let line) = step { transcription.output[line] } else { nil }
    }
    for line in await Explanations(session).lines(command.text, extra) { picture.note(line) }
    if kind.allowsUpdate {
      outcome.correction = comparison.correction(&captures)
    }
    outcome.picture = picture.lines(canAccept: outcome.correction != nil)
    return outcome
  }
}
