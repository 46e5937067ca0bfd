/// The differences between the output of a command and its expectations.
struct OutputComparison {
  let command: ReplayCommand
  let expectation: StreamExpectation
  let captured: CapturedOutput
  /// The lines of standard output, to which the indices of ``output`` refer.
  let lines: ComparedLines
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
    var lines = expectation.lines(captured, command.setting, comparesCells: true)
    var output = Self.steps(lines, command.setting, &self.captures)
    if !lines.ignoresValues, output.allSatisfy(\.isAsExpected) {
      // Only the blanks between cells differ.
      self.captures = captures
      lines = expectation.lines(captured, command.setting, comparesCells: false)
      output = Self.steps(lines, command.setting, &self.captures)
    }
    self.lines = lines
    self.output = output
    errors = Self.steps(expectation.errors, captured.errors, &self.captures)
  }

  private static func steps(
    _ lines: ComparedLines, _ setting: ReplaySetting, _ captures: inout Captures
  ) -> [Alignment.Step] {
    setting.isUnordered
      ? unordered(lines.expected, lines.actual, &captures)
      : steps(lines.expected, lines.actual, &captures)
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

extension Alignment.Step {
  fileprivate var isAsExpected: Bool {
    switch self {
    case .match, .any: true
    case .missing, .extra: false
    }
  }
}

extension StreamExpectation {
  /// The lines of standard output as they are compared.
  ///
  /// - Parameter comparesCells: whether rows of tables are compared by their cells; rows with ignored
  ///   columns always are.
  func lines(
    _ captured: CapturedOutput, _ setting: ReplaySetting, comparesCells: Bool
  ) -> ComparedLines {
    ComparedLines(
      output, captured.output, tables: captured.tables, records: captured.records,
      ignoredKeys: setting.ignoredKeys,
      isUnordered: setting.isUnordered,
      comparesCells: comparesCells || !setting.ignoredKeys.isEmpty)
  }
}
