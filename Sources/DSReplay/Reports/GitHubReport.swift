import DisplayText

/// The human report with annotations for failures and flaky sections. GitHub's runners read the
/// annotations from the log.
package struct GitHubReport: TestReport {
  package static let name = "github"
  private var human = HumanReport()

  package init() {}

  package mutating func begin(seed: UInt64?) -> String { human.begin(seed: seed) }

  package mutating func add(_ result: TestResult) -> String {
    let outcome = result.outcome
    var lines: [String] = []
    for section in outcome.sections {
      let title = section.title ?? outcome.path
      for failure in section.failures {
        let place = failure.place(in: outcome.path)
        lines.append(
          Self.annotation("error", place.path, place.line, title, text(of: failure)))
      }
      if section.status == .failed, section.failures.isEmpty {
        let text = outcome.mistakes.joined(separator: "\n")
        lines.append(Self.annotation("error", outcome.path, section.line, section.reason, text))
      }
      if result.isFlaky(section) {
        lines.append(
          Self.annotation("warning", outcome.path, section.line, title, "flaky"))
      }
    }
    return human.add(result) + lines.map { $0 + "\n" }.joined()
  }

  package mutating func end(_ summary: TestSummary) -> String {
    let level = summary.isStrict ? "error" : "warning"
    let lines = summary.unused.map {
      Self.annotation(level, $0.path, $0.line ?? 1, "unused", $0.message)
    }
    return human.end(summary) + lines.map { $0 + "\n" }.joined()
  }

  package static func wrote(_ text: String) -> Bool { HumanReport.wrote(text) }

  private func text(of failure: CommandFailure) -> String {
    ([failure.message] + failure.picture.dropFirst()).joined(separator: "\n")
  }

  private static func annotation(
    _ level: String, _ path: String, _ line: Int, _ title: String, _ text: String
  ) -> String {
    "::\(level) file=\(property(path)),line=\(line),title=\(property(title))::\(data(text))"
  }

  private static func data(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let escape = escapes[scalar] {
        escaped += escape.unicodeScalars
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped).escapingControls(keepsTabs: true)
  }
}
