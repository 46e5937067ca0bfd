@testable import DSReplay

/// Results of all kinds, with text that is difficult to escape.
enum ReportFixture {
  static let awkward = "a \"b\" <c> & 'd' ]]> # \\ % : , é\n\u{1}\u{1B}[1m\u{FFFE}\u{2028}"

  static var results: [TestResult] {
    var passed = FileOutcome(path: "good.ds")
    passed.sections = [
      section("one"), section(nil, line: 4), section("sk", .skipped, "not here", line: 7),
    ]
    var failed = FileOutcome(path: "bad,:%.ds")
    failed.sections = [
      section("hangs", .failed, failures: [failure(.timeout, "slow")]),
      section(awkward, .failed, failures: [failure(.mismatch, awkward), failure(.error, "x")]),
      section("known", .failedAsExpected, "it is"), section("rest", .notRun, "not selected"),
    ]
    var unread = FileOutcome(path: "broken.ds")
    unread.mistakes = ["broken.ds:1:7: error: x\n  print [\n        ^"]
    unread.sections = [section(nil, .failed, "the script does not parse")]
    var before = passed
    before.sections[0].status = .failed
    before.sections[0].failures = [failure(.crash, "it died")]
    var flaky = passed
    flaky.path = "flaky.ds"
    return [
      TestResult(passed), TestResult(failed), TestResult(unread),
      TestResult(flaky, attempts: [before]),
    ]
  }

  static func section(
    _ title: String?, _ status: SectionOutcome.Status = .passed, _ reason: String = "",
    line: Int = 1, failures: [CommandFailure] = []
  ) -> SectionOutcome {
    var section = SectionOutcome(title: title, line: line)
    section.status = status
    section.reason = reason
    section.failures = failures
    section.nanoseconds = 1_500_000
    return section
  }

  static func failure(_ kind: CommandFailure.Kind, _ message: String) -> CommandFailure {
    var failure = CommandFailure(line: 9, kind: kind, message: message)
    failure.picture = ["FAIL bad.ds:9 › \(message)", "   9 │ - \(message)", "     rerun"]
    return failure
  }

  static func text(_ type: any TestReport.Type, _ results: [TestResult] = results) -> String {
    var report = type.init()
    var summary = TestSummary()
    var text = report.begin(seed: nil)
    for result in results {
      summary.add(result)
      text += report.add(result)
    }
    summary.duration = .milliseconds(38)
    return text + report.end(summary)
  }
}
