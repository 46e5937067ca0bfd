import DSInterpreter
import DataTables

/// The final result of a script, after all attempts.
package struct TestResult: Sendable, Equatable {
  package let outcome: FileOutcome
  /// The failed attempts before ``outcome``, in order.
  package let attempts: [FileOutcome]

  package init(_ outcome: FileOutcome, attempts: [FileOutcome] = []) {
    self.outcome = outcome
    self.attempts = attempts
  }

  /// Whether the script passed after a failed attempt.
  package var isFlaky: Bool { !outcome.hasFailed && !attempts.isEmpty }

  /// Whether a section passed after a failed attempt.
  func isFlaky(_ section: SectionOutcome) -> Bool {
    section.status == .passed
      && attempts.contains { attempt in
        attempt.sections.contains { $0.line == section.line && $0.status == .failed }
      }
  }

  /// Whether a worker crashed, or a command or the file exceeded its time limit.
  package var hasCrashed: Bool {
    outcome.failures.contains { $0.kind == .crash || $0.kind == .timeout }
  }
}

/// The counts of a run.
package struct TestSummary: Sendable, Equatable {
  package private(set) var files = 0
  package private(set) var sections = 0
  package private(set) var passed = 0
  package private(set) var failed = 0
  package private(set) var skipped = 0
  package private(set) var failedAsExpected = 0
  package private(set) var notRun = 0
  /// Sections that passed only on a later attempt. They also count as passed.
  package private(set) var flaky = 0
  package private(set) var crashes = 0
  /// The number of files that were not parsed, or a cassette of theirs.
  package private(set) var unreadable = 0
  /// The number of files that were not run because the run ended early.
  package var leftOut = 0
  package var isInterrupted = false
  /// Parts of the suite that no test uses.
  package var unused: [UnusedPart] = []
  /// Whether unused parts are errors.
  package var isStrict = false
  /// The elapsed time of the run.
  package var duration = Duration.zero

  package init() {}

  package mutating func add(_ result: TestResult) {
    files += 1
    if result.hasCrashed { crashes += 1 }
    let outcome = result.outcome
    if !outcome.isParsed || outcome.failures.contains(where: { $0.kind == .cassetteFile }) {
      unreadable += 1
    }
    for section in result.outcome.sections {
      sections += 1
      switch section.status {
      case .passed: passed += 1
      case .failed: failed += 1
      case .skipped: skipped += 1
      case .failedAsExpected: failedAsExpected += 1
      case .notRun: notRun += 1
      }
      if result.isFlaky(section) { flaky += 1 }
    }
  }

  /// Whether a line is a ``sentence``.
  static func isSentence(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    return words.count > 5 && words[1].hasPrefix("file") && words[3].hasPrefix("section")
      && words[5].hasPrefix("passed")
      && [words[0], words[2], words[4]].allSatisfy { $0.allSatisfy { $0.isNumber || $0 == "," } }
  }

  /// A line for each unused part.
  var unusedLines: [String] { unused.map { $0.text(isStrict: isStrict) } }

  /// `14 files, 61 sections: 60 passed, 1 failed in 38 ms`
  package var sentence: String {
    let counts = [
      (passed, "passed"), (failed, "failed"), (flaky, "flaky"), (skipped, "skipped"),
      (failedAsExpected, "failed as expected"), (notRun, "not run"),
    ]
    // Zero counts are omitted, except for `passed`.
    let shown = counts.enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
      .map { "\($0.element.0.grouped) \($0.element.1)" }
    var text = "\(counted(files, "file")), \(counted(sections, "section")): "
    text += shown.joined(separator: ", ") + " in \(duration.shortText)"
    if leftOut > 0 {
      text += "; \(counted(leftOut, "file")) not run"
      if isInterrupted { text += ", interrupted" }
    } else if isInterrupted {
      text += "; interrupted"
    }
    return text
  }
}

extension Duration {
  /// `38 ms`, `12.3 s`
  var shortText: String {
    let milliseconds = Int((self / .milliseconds(1)).rounded())
    if milliseconds < 10_000 && (milliseconds % 1000 != 0 || milliseconds == 0) {
      return "\(milliseconds) ms"
    }
    let tenths = Int((self / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
