import DSInterpreter
import DataSources
import DataTables

/// Holds what a command told against what is expected of it.
struct OutputCheck {
  private let command: ReplayCommand
  private let captured: CapturedOutput
  private let script: ReplayScript
  /// Made when there is a failure to show.
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

  /// Whether a command told what is expected of it; what its holes took is added to the captures then.
  static func isAsExpected(
    _ command: ReplayCommand, _ captured: CapturedOutput, _ script: ReplayScript,
    _ captures: inout Captures
  ) -> Bool {
    guard command.expectsOutput else { return captured.failures.isEmpty }
    guard
      let expectation = try? expectation(of: command, in: script, actual: captured.output),
      expectation.files.allSatisfy({ $0.problem == nil })
    else { return false }
    var known = captures
    let isAsExpected =
      isMatch(
        expectation.output, captured.output, isUnordered: command.setting.isUnordered, &known)
      && isMatch(expectation.errors, captured.errors, isUnordered: false, &known)
    if isAsExpected { captures = known }
    return isAsExpected
  }

  /// What is told of a command that is not as expected.
  ///
  /// - Parameter captures: what holes took; those of this command are added.
  func failure(_ captures: inout Captures, in session: Session) async -> CommandFailure {
    guard command.expectsOutput else { return await unexpectedError(in: session) }
    do throws(SideFileError) {
      let expectation = try Self.expectation(
        of: command, in: script, actual: captured.output)
      return await mismatch(expectation, &captures, in: session)
    } catch {
      return unreadableFile(error)
    }
  }

  private static func expectation(
    of command: ReplayCommand, in script: ReplayScript, actual: [String]
  ) throws(SideFileError) -> StreamExpectation {
    try StreamExpectation(command.expectations, besideScript: script.path, actual: actual)
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
    // A request that is on no cassette says nothing of what the script tests.
    if failure.kind == .cassette { return .cassette }
    if command.expectations.contains(where: \.isError) { return .mismatch }
    return command.isCheck && failure.kind == .expectation ? .expectation : .error
  }

  private func unexpectedError(in session: Session) async -> CommandFailure {
    let kind = kind
    var outcome = CommandFailure(
      line: command.lines.lowerBound, kind: kind,
      message: captured.failures.first?.message ?? "")
    var picture = makePicture()
    picture.addActual(captured.errors)
    for line in await RowExplanations(session).lines(command.text, []) { picture.note(line) }
    outcome.picture = picture.lines(canAccept: false)
    return outcome
  }

  private func unreadableFile(_ error: SideFileError) -> CommandFailure {
    var outcome = CommandFailure(
      line: command.lines.lowerBound, kind: .file, message: error.message)
    var picture = makePicture()
    picture.note("line \(error.line): " + error.message)
    outcome.picture = picture.lines(canAccept: false)
    return outcome
  }

  private func mismatch(
    _ expectation: StreamExpectation, _ captures: inout Captures, in session: Session
  ) async -> CommandFailure {
    let comparison = OutputComparison(
      command, expectation, captured, captures: captures)
    captures = comparison.captures
    let problems = expectation.files.compactMap(\.problem)
    let kind = kind == .mismatch && !problems.isEmpty ? .file : kind
    var outcome = CommandFailure(
      line: command.lines.lowerBound, kind: kind,
      message: captured.failures.first?.message ?? problems.first?.message
        ?? "the output is not as expected")
    var picture = makePicture()
    for problem in problems { picture.note("line \(problem.line): " + problem.message) }
    picture.compare(comparison.output, expectation.output, captured.output, captures)
    picture.compare(comparison.errors, expectation.errors, captured.errors, captures)
    let extra = comparison.output.compactMap { step in
      if case .extra(let line) = step { captured.output[line] } else { nil }
    }
    for line in await RowExplanations(session).lines(command.text, extra) { picture.note(line) }
    if kind.allowsUpdate {
      outcome.correction = comparison.correction(&captures)
    }
    outcome.picture = picture.lines(canAccept: outcome.correction != nil)
    return outcome
  }
}
