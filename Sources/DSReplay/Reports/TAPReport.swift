import DataTables

/// The Test Anything Protocol, version 14: a test point for each file, with its sections as a
/// subtest.
struct TAPReport: TestReport {
  static let name = "tap"
  private var files = 0

  mutating func begin(seed: UInt64?) -> String {
    "TAP version 14\n" + (seed.map { "# shuffled with --shuffle=\($0)\n" } ?? "")
  }

  mutating func add(_ result: TestResult) -> String {
    files += 1
    let outcome = result.outcome
    var lines = ["# Subtest: \(Self.escaped(outcome.path))"]
    for (index, section) in outcome.sections.enumerated() {
      lines += point(index + 1, section, result).map { "    " + $0 }
    }
    lines.append("    1..\(outcome.sections.count)")
    let isSkipped = outcome.sections.allSatisfy { $0.status == .skipped || $0.status == .notRun }
    let reason = isSkipped ? " # SKIP \(Self.escaped(outcome.sections.first?.reason ?? ""))" : ""
    let word = outcome.hasFailed ? "not ok" : "ok"
    lines.append("\(word) \(files) - \(Self.escaped(outcome.path))\(reason)")
    return lines.map { $0 + "\n" }.joined()
  }

  mutating func end(_ summary: TestSummary) -> String {
    if summary.isInterrupted { return "Bail out! interrupted\n" }
    return "1..\(files)\n# \(summary.sentence)\n"
  }

  private func point(_ number: Int, _ section: SectionOutcome, _ result: TestResult) -> [String] {
    let title = Self.escaped(section.title ?? "line \(section.line)")
    let reason = Self.escaped(section.reason)
    switch section.status {
    case .passed:
      let note = result.isFlaky(section) ? ["  ---", "  flaky: true", "  ..."] : []
      return ["ok \(number) - \(title)"] + note
    case .skipped, .notRun: return ["ok \(number) - \(title) # SKIP \(reason)"]
    case .failedAsExpected: return ["not ok \(number) - \(title) # TODO \(reason)"]
    case .failed:
      return ["not ok \(number) - \(title)"] + diagnostics(of: section, in: result.outcome)
    }
  }

  /// A YAML block; its strings are written as JSON.
  private func diagnostics(of section: SectionOutcome, in outcome: FileOutcome) -> [String] {
    var lines = ["---"]
    if !outcome.isParsed {
      lines += ["mistakes:"] + outcome.mistakes.map { "  - " + Value.string($0).json }
    }
    if !section.failures.isEmpty { lines.append("failures:") }
    for failure in section.failures {
      lines += [
        "  - at: " + Value.string("\(outcome.path):\(failure.line)").json,
        "    kind: " + failure.kind.rawValue,
        "    message: " + Value.string(failure.message).json,
        "    picture:",
      ]
      lines += failure.picture.map { "      - " + Value.string($0).json }
    }
    return (lines + ["..."]).map { "  " + $0 }
  }

  /// The text on one line, with escapes for characters that would begin a directive.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "#", "\\": escaped += "\\" + String(scalar)
      case "\n", "\r": escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
