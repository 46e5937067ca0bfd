/// What came of a script in the end, after all attempts.
package struct TestResult: Sendable, Equatable {
  package let outcome: FileOutcome
  /// Those that failed and were run again, in order.
  package let attempts: [FileOutcome]

  package init(_ outcome: FileOutcome, attempts: [FileOutcome] = []) {
    self.outcome = outcome
    self.attempts = attempts
  }

  /// Whether it passed after it had failed.
  package var isFlaky: Bool { !outcome.hasFailed && !attempts.isEmpty }

  /// Whether a section passed and had failed before.
  func isFlaky(_ section: SectionOutcome) -> Bool {
    section.status == .passed
      && attempts.contains { attempt in
        attempt.sections.contains { $0.line == section.line && $0.status == .failed }
      }
  }

  /// Whether a worker crashed over it, or a command or the file took too long.
  package var hasCrashed: Bool {
    outcome.failures.contains { $0.kind == .crash || $0.kind == .timeout }
  }
}
