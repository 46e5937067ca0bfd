import DataTables
import DisplayText

/// The Test Anything Protocol: a test point for each file, with its sections as a subtest.
///
/// It is a stream of version 14 that states version 13, because the harnesses in use refuse a newer
/// one; version 13 ignores the indented lines of a subtest. The plan is the last line: a comment after
/// it is an error in version 14.
struct TAPReport: TestReport {
  static let name = "tap"
  private var files = 0

  private static let start = "TAP version 13\n"

  static func wrote(_ text: String) -> Bool { text.hasPrefix(start) }

  mutating func begin(seed: UInt64?) -> String {
    Self.start + (seed.map { "# shuffled with --shuffle=\($0)\n" } ?? "")
  }

  mutating func add(_ result: TestResult) -> String {
    files += 1
    let outcome = result.outcome
    var lines = ["# Subtest: \(Self.escaped(outcome.path))"]
    for (index, section) in outcome.sections.enumerated() {
      lines += point(index + 1, section.name, section, result).map { "    " + $0 }
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
    var lines = summary.unusedLines.map { "# " + $0 }
    if summary.isStrict, !lines.isEmpty {
      files += 1
      lines.append("not ok \(files) - unused parts of the suite")
    }
    lines += ["# \(summary.sentence)", "1..\(files)"]
    return lines.map { $0 + "\n" }.joined()
  }

  private func point(
    _ number: Int, _ name: String, _ section: SectionOutcome, _ result: TestResult
  ) -> [String] {
    let title = Self.escaped(name)
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
      // Without a key, parsers would take a mistake, whose first word ends with a colon, for one.
      lines += ["mistakes:"] + outcome.mistakes.map { "  - message: " + Self.quoted($0) }
    }
    if !section.failures.isEmpty { lines.append("failures:") }
    for failure in section.failures {
      let place = failure.place(in: outcome.path)
      lines += [
        "  - at: " + Self.quoted("\(place.path):\(place.line)"),
        "    kind: " + failure.kind.rawValue,
        "    message: " + Self.quoted(failure.message),
        "    picture:",
      ]
      lines += failure.picture.map { "      - " + Self.quoted($0) }
    }
    return (lines + ["..."]).map { "  " + $0 }
  }

  /// The text as a scalar of YAML.
  private static func quoted(_ text: String) -> String {
    Value.string(text).json.escapingControlsInJSON()
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
    return escaped.escapingControls()
  }
}
