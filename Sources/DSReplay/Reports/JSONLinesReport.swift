import DataTables
import DisplayText

/// For programs: a line with the seed if the order was shuffled, a line for each section, one for the
/// coverage of each script if it is measured, and a line for the run.
struct JSONLinesReport: TestReport {
  static let name = "jsonl"

  static func wrote(_ text: String) -> Bool {
    guard let line = text.split(separator: "\n").first,
      case .record(let event)? = try? Value(json: String(line))
    else { return false }
    return event["event"]?.string != nil
  }

  mutating func begin(seed: UInt64?) -> String {
    guard let seed else { return "" }
    // A string, because not every JSON parser keeps 64 bits.
    let value: Value = ["event": "begin", "seed": .string(String(seed))]
    return value.json.escapingControlsInJSON() + "\n"
  }

  mutating func add(_ result: TestResult) -> String {
    let outcome = result.outcome
    let lines = outcome.sections.map { section in
      let value: Value = [
        "event": "section", "path": .string(result.outcome.path),
        "section": section.title.map(Value.string) ?? .null, "line": .integer(section.line),
        "status": .string(section.status.rawValue), "reason": .string(section.reason),
        "flaky": .bool(result.isFlaky(section)), "passed": .integer(section.passedCommands),
        "skipped": .integer(section.skippedCommands), "notRun": .integer(section.notRunCommands),
        "nanoseconds": .integer(section.nanoseconds),
        // A string, as the seed of the order.
        "seed": outcome.seed.map { .string(String($0)) } ?? .null,
        "mistakes": .array(result.outcome.mistakes.map(Value.string)),
        "failures": .array(section.failures.map { Self.value($0, result.outcome.path) }),
      ]
      return value.json.escapingControlsInJSON() + "\n"
    }
    return lines.joined() + Self.coverage(of: outcome)
  }

  /// A line with the coverage of a script; empty if it is not measured.
  private static func coverage(of outcome: FileOutcome) -> String {
    if outcome.coverage.isEmpty, outcome.unexpectedOutput.isEmpty { return "" }
    let value: Value = [
      "event": "coverage", "path": .string(outcome.path),
      "sources": .array(outcome.coverage.map(\.value)),
      "unexpectedOutput": .array(
        outcome.unexpectedOutput.map {
          ["line": .integer($0.line), "command": .string($0.command)]
        }),
    ]
    return value.json.escapingControlsInJSON() + "\n"
  }

  private static func value(_ failure: CommandFailure, _ path: String) -> Value {
    let place = failure.place(in: path)
    return [
      "path": .string(place.path), "line": .integer(place.line),
      "kind": .string(failure.kind.rawValue),
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
      "unused": .array(summary.unused.map(\.value)),
      "milliseconds": .integer(Int(summary.duration / .milliseconds(1))),
    ]
    return value.json.escapingControlsInJSON() + "\n"
  }
}

extension SourceCoverage {
  fileprivate var value: Value {
    [
      "source": .string(name), "rows": rows.value, "sections": sections.value,
      "keys": .array(keys.map(Value.string)), "otherKeys": .array(otherKeys.map(Value.string)),
    ]
  }
}

extension SourceCoverage.Count {
  fileprivate var value: Value { ["asserted": .integer(asserted), "all": .integer(all)] }
}
