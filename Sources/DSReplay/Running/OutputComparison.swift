/// The differences between the output of a command and its expectations.
struct OutputComparison {
  let command: ReplayCommand
  let expectation: StreamExpectation
  let captured: CapturedOutput
  let output: [Alignment.Step]
  let errors: [Alignment.Step]
  /// The captures of the commands above.
  let before: Captures
  /// ``before`` and the captures of matching lines.
  private(set) var captures: Captures

  init(
    _ command: ReplayCommand, _ expectation: StreamExpectation, _ captured: CapturedOutput,
    captures: Captures
  ) {
    self.command = command
    self.expectation = expectation
    self.captured = captured
    before = captures
    self.captures = captures
    if command.setting.isUnordered {
      output = Self.unordered(expectation.output, captured.output, &self.captures)
    } else {
      output = Self.steps(expectation.output, captured.output, &self.captures)
    }
    errors = Self.steps(expectation.errors, captured.errors, &self.captures)
  }

  private static func steps(
    _ expected: [ExpectedLine], _ actual: [String], _ captures: inout Captures
  ) -> [Alignment.Step] {
    let steps = Alignment(expected, actual, captures: captures).steps
    for case .match(let index, let line) in steps {
      _ = expected[index].matches(actual[line], &captures)
    }
    return steps
  }

  /// Steps in the order of the expected lines; unexpected lines are last.
  private static func unordered(
    _ expected: [ExpectedLine], _ actual: [String], _ captures: inout Captures
  ) -> [Alignment.Step] {
    let matcher = UnorderedMatcher(expected, actual, captures: captures)
    captures = matcher.captures
    var steps: [Alignment.Step] = []
    var missing: [Alignment.Step] = []
    for (index, partner) in matcher.partners.enumerated() {
      if let partner {
        steps.append(.match(expected: index, actual: partner))
      } else if expected[index].isAnyLines {
        steps.append(.any(expected: index, actual: 0..<0))
      } else {
        missing.append(.missing(expected: index))
      }
    }
    return steps + missing + matcher.extras.map { .extra(actual: $0) }
  }
}
