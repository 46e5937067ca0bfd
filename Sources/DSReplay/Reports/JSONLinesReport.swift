import DataTables

/// For programs: a line with the seed if the order was shuffled, a line for each section, and a
/// line for the run.
struct JSONLinesReport: TestReport {
  static let name = "jsonl"

  mutating func begin(seed: UInt64?) -> String {
    guard let seed else { return "" }
    // A string, because not every JSON parser keeps 64 bits.
    let value: Value = ["event": "begin", "seed": .string(String(seed))]
    return value.json + "\n"
  }

  mutating func add(_ result: TestResult) -> String {
    result.outcome.sections.map { section in
      let value: Value = [
        "event": "section", "path": .string(result.outcome.path),
        "section": section.title.map(Value.string) ?? .null, "line": .integer(section.line),
        "status": .string(section.status.rawValue), "reason": .string(section.reason),
        "flaky": .bool(result.isFlaky(section)), "passed": .integer(section.passedCommands),
        "skipped": .integer(section.skippedCommands), "notRun": .integer(section.notRunCommands),
        "nanoseconds": .integer(section.nanoseconds),
        "mistakes": .array(result.outcome.mistakes.map(Value.string)),
        "failures": .array(section.failures.map(Self.value)),
      ]
      return value.json + "\n"
    }.joined()
  }

  private static func value(_ failure: CommandFailure) -> Value {
    [
      "line": .integer(failure.line), "kind": .string(failure.kind.rawValue),
      "message": .string(failure.message), "picture": .array(failure.picture.map(Value.string)),
    ]
  }

  mutating func end(_ summary: TestSummary) -> String {
    let value: Value = [
      "event": "end", "files": .integer(summary.files), "sections": .integer(summary.sections),
      "passed": .integer(summary.passed), "failed": .integer(summary.failed),
      "skipped": .integer(summary.skipped), "flaky": .integer(summary.flaky),
      "failedAsExpected": .integer(summary.failedAsExpected), "notRun": .integer(summary.notRun),
      "leftOut": .integer(summary.leftOut), "interrupted": .bool(summary.isInterrupted),
      "milliseconds": .integer(Int(summary.duration / .milliseconds(1))),
    ]
    return value.json + "\n"
  }
}
