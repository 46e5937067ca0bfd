import DSInterpreter
import DisplayText

/// JUnit XML as Jenkins and others read it: a suite for each file, a case for each section.
///
/// A failed expectation is a `failure`; a crash, a hang or a script that does not parse is an
/// `error`. Expected failures and sections that did not run count as skipped.
struct JUnitReport: TestReport {
  static let name = "junit"
  private var suites = ""
  private var tests = 0
  private var failures = 0
  private var errors = 0

  private enum Result: Equatable { case passed, failure, error, skipped }

  private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private static let root = "<testsuites name=\"dsshell\""

  static func wrote(_ text: String) -> Bool { text.hasPrefix(declaration + root) }

  mutating func begin(seed: UInt64?) -> String { Self.declaration }

  mutating func add(_ result: TestResult) -> String {
    let outcome = result.outcome
    let results = outcome.sections.map { Self.result(of: $0, in: outcome) }
    tests += results.count
    failures += results.count { $0 == .failure }
    errors += results.count { $0 == .error }
    suites += "  <testsuite name=\(Self.quoted(outcome.path)) tests=\"\(results.count)\""
    suites += " failures=\"\(results.count { $0 == .failure })\""
    suites += " errors=\"\(results.count { $0 == .error })\""
    suites += " skipped=\"\(results.count { $0 == .skipped })\""
    suites += " time=\"\(Self.seconds(outcome.nanoseconds))\">\n"
    for (index, section) in outcome.sections.enumerated() {
      suites += Self.testCase(section.name, section, results[index], result)
    }
    suites += "  </testsuite>\n"
    return ""
  }

  mutating func end(_ summary: TestSummary) -> String {
    if summary.isStrict, !summary.unused.isEmpty { addSuite(of: summary.unused) }
    let time = Self.seconds(Int(summary.duration / .nanoseconds(1)))
    if summary.isInterrupted { addInterruption(summary) }
    return "\(Self.root) tests=\"\(tests)\" failures=\"\(failures)\""
      + " errors=\"\(errors)\" time=\"\(time)\">\n\(suites)</testsuites>\n"
  }

  /// An error, because tests that did not run are not in the report.
  private mutating func addInterruption(_ summary: TestSummary) {
    tests += 1
    errors += 1
    let message =
      "the run was interrupted; \(counted(summary.leftOut, "file")) did not run to the end"
    suites += "  <testsuite name=\"dsshell test\" tests=\"1\" failures=\"0\" errors=\"1\""
    suites += " skipped=\"0\" time=\"0.000\">\n"
    suites += "    <testcase name=\"interrupted\" classname=\"dsshell test\" time=\"0.000\">\n"
    suites += Self.problem("error", message: message, type: "interrupted", message)
    suites += "    </testcase>\n  </testsuite>\n"
  }

  /// A suite with a failed case for each unused part.
  private mutating func addSuite(of unused: [UnusedPart]) {
    tests += unused.count
    failures += unused.count
    suites += "  <testsuite name=\"unused parts\" tests=\"\(unused.count)\""
    suites += " failures=\"\(unused.count)\" errors=\"0\" skipped=\"0\" time=\"0.000\">\n"
    for part in unused {
      let name = part.line.map { "line \($0)" } ?? "file"
      suites += "    <testcase name=\(Self.quoted(name)) classname=\(Self.quoted(part.path))"
      suites += " time=\"0.000\">\n"
      suites += Self.problem(
        "failure", message: part.message, type: "unused", part.text(isStrict: true))
      suites += "    </testcase>\n"
    }
    suites += "  </testsuite>\n"
  }

  private static func result(of section: SectionOutcome, in outcome: FileOutcome) -> Result {
    switch section.status {
    case .passed: return .passed
    case .skipped, .notRun, .failedAsExpected: return .skipped
    case .failed:
      let isError = section.failures.contains { $0.kind == .crash || $0.kind == .timeout }
      return isError || !outcome.isParsed ? .error : .failure
    }
  }

  private static func testCase(
    _ name: String, _ section: SectionOutcome, _ kind: Result, _ result: TestResult
  ) -> String {
    var text = "    <testcase name=\(quoted(name)) classname=\(quoted(result.outcome.path))"
    text += " time=\"\(seconds(section.nanoseconds))\""
    let body = body(of: section, kind, result)
    return text + (body.isEmpty ? "/>\n" : ">\n\(body)    </testcase>\n")
  }

  private static func body(
    of section: SectionOutcome, _ kind: Result, _ result: TestResult
  ) -> String {
    switch kind {
    case .passed:
      guard result.isFlaky(section) else { return "" }
      let count = result.attempts.count
      return
        "      <system-out>flaky: passed after \(counted(count, "failed attempt"))</system-out>\n"
    case .skipped: return "      <skipped message=\(quoted(section.reason))/>\n"
    case .failure, .error:
      let element = kind == .error ? "error" : "failure"
      if !result.outcome.isParsed {
        return problem(
          element, message: section.reason, type: "syntax",
          result.outcome.mistakes.joined(separator: "\n\n"))
      }
      return section.failures.map { failure in
        problem(
          element, message: failure.message, type: failure.kind.rawValue,
          failure.picture.joined(separator: "\n"))
      }.joined()
    }
  }

  private static func problem(
    _ element: String, message: String, type: String, _ text: String
  ) -> String {
    "      <\(element) message=\(quoted(message)) type=\(quoted(type))>"
      + XMLText.escaped(text) + "</\(element)>\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + XMLText.escaped(text, isAttribute: true) + "\""
  }

  /// `0.038`
  private static func seconds(_ nanoseconds: Int) -> String {
    let milliseconds = max(0, nanoseconds) / 1_000_000
    let rest = String(milliseconds % 1000)
    let zeros = String(repeating: "0", count: 3 - rest.count)
    return "\(milliseconds / 1000).\(zeros)\(rest)"
  }
}

/// Text in XML 1.0.
private enum XMLText {
  /// Characters that XML cannot represent become U+FFFD.
  /// - Parameter isAttribute: whether to keep line ends and tabs, which attribute parsing would
  ///   replace.
  static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      // `]]>` is not allowed in text.
      case ">": escaped += "&gt;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      // A parser would turn a carriage return into a line feed.
      case "\r": escaped += "&#13;".unicodeScalars
      case "\n" where isAttribute: escaped += "&#10;".unicodeScalars
      case "\t" where isAttribute: escaped += "&#9;".unicodeScalars
      case "\n", "\t": escaped.append(scalar)
      case _ where !isLegal(scalar): escaped.append("\u{FFFD}")
      // A terminal may show the report.
      case _ where scalar.needsEscape:
        escaped += "&#\(scalar.value);".unicodeScalars
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// The production `Char` of XML 1.0, section 2.2, without surrogates, which are not scalars.
  private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
