import DSInterpreter
import DataSources

/// The result of running a script once.
package struct FileOutcome: Sendable, Equatable {
  /// The path as the user gave it.
  package var path: String
  /// One outcome per section of the script; a single failed outcome if the script does not parse.
  package var sections: [SectionOutcome] = []
  /// The syntax errors as printed. A script with syntax errors is not run.
  package var mistakes: [String] = []
  /// The stamp of the file that was run; an update refuses a file that has changed since.
  package var stamp: FileDigest = FileDigest()
  /// The files that its commands read; empty unless they are recorded.
  package var reads: [String] = []
  /// Those of them that determined output of the script.
  package var inputs: [String] = []
  /// Whether a filter left out sections or runs of the script.
  package var isPartial = false
  /// The indices of the conditions of the filter that mean sections of the script.
  var matchedConditions: Set<Int> = []
  /// The seed under which the script failed; nil without a seed of the run.
  package var seed: UInt64?
  /// Whether ``seed`` is the smallest of several.
  package var isSmallestSeed = false
  /// nil for a script that did not run in sections, such as a lesson.
  package var usage: ScriptUsage?
  /// The coverage of its sources, and the commands whose output nothing expects; empty unless it is
  /// measured.
  package var coverage: [SourceCoverage] = []
  package var unexpectedOutput: [UnexpectedOutput] = []
  /// Failures if all other runs of the script have them, too; not written to messages.
  var missingKeys: [MissingKey] = []

  package init(path: String) { self.path = path }

  /// The outcome of a script that cannot be read or is not UTF-8.
  init(unreadable path: String, _ error: SourceError) {
    self.init(path: path)
    mistakes = ["\(path): error: the script cannot be read: \(Diagnostic(facts: error).message)"]
    var section = SectionOutcome(title: nil, line: 1)
    section.status = .failed
    section.reason = "the script cannot be read"
    sections = [section]
  }

  package var isParsed: Bool { mistakes.isEmpty }
  package var hasFailed: Bool { !isParsed || sections.contains { $0.status == .failed } }
  package var nanoseconds: Int { sections.reduce(0) { $0 &+ $1.nanoseconds } }
  package var failures: [CommandFailure] { sections.flatMap(\.failures) }
  /// Whether any command was checked or skipped.
  var hasCheckedCommands: Bool {
    hasFailed
      || sections.contains {
        $0.passedCommands + $0.skippedCommands > 0 || $0.status == .failedAsExpected
      }
  }
}

// Expected failures (`xfail`).
extension FileOutcome {
  /// Removes failures that `xfail` covers, and adds a failure for each `xfail` whose commands all
  /// passed.
  /// - Parameter passed: the first lines of the commands that passed.
  mutating func applyExpectedFailures(
    of script: ReplayScript, passed: [Int], _ rerun: RerunCommand
  ) {
    var lines: [Int: ReplaySetting.ExpectedFailure] = [:]
    for command in script.commands {
      guard let expected = command.setting.expectedFailure else { continue }
      lines[command.lines.lowerBound] = expected
    }
    if lines.isEmpty { return }
    for index in sections.indices {
      var forgiven: ReplaySetting.ExpectedFailure?
      sections[index].failures.removeAll { failure in
        guard failure.kind.canBeExpected, let expected = lines[failure.line] else { return false }
        forgiven = forgiven ?? expected
        return true
      }
      if let forgiven, sections[index].failures.isEmpty {
        sections[index].status = .failedAsExpected
        sections[index].reason = forgiven.reason
      }
    }
    for (index, failure) in script.unexpectedPasses(passed: Set(passed), rerun)
    where sections.indices.contains(index) {
      sections[index].failures.append(failure)
    }
  }
}

extension ReplayScript {
  /// A failure for each `xfail` whose commands all passed, with the index of its section. An
  /// `xfail` with a command that did not run has none.
  /// - Parameter passed: the first lines of the commands that passed.
  func unexpectedPasses(
    passed: Set<Int>, _ rerun: RerunCommand
  ) -> [(section: Int, failure: CommandFailure)] {
    var reported: Set<Int> = []
    for command in commands where !passed.contains(command.lines.lowerBound) {
      if let expected = command.setting.expectedFailure { reported.insert(expected.line) }
    }
    var passes: [(section: Int, failure: CommandFailure)] = []
    for (index, section) in sections.enumerated() {
      for position in section.commands {
        guard let expected = commands[position].setting.expectedFailure,
          reported.insert(expected.line).inserted
        else { continue }
        var failure = CommandFailure(
          line: expected.line, kind: .unexpectedPass,
          message: "the command passed, but `xfail` expects a failure: \(expected.reason)")
        failure.picture = FailurePicture.lines(
          ofDirectiveAt: expected.line, in: self, section: index,
          note: "the command passed; remove this line if the bug is fixed", rerun: rerun)
        passes.append((index, failure))
      }
    }
    return passes
  }

  /// Whether an `xfail` covers a failure.
  func expects(_ failure: CommandFailure) -> Bool {
    failure.kind.canBeExpected
      && commands.contains {
        $0.lines.lowerBound == failure.line && $0.setting.expectedFailure != nil
      }
  }
}

/// The result of a section.
package struct SectionOutcome: Sendable, Equatable {
  package enum Status: String, Sendable, CaseIterable {
    case passed, failed, skipped
    /// The section failed as `xfail` expects; the test does not fail.
    case failedAsExpected
    /// The section was not selected, or the file ended before it.
    case notRun
  }
  /// nil for the commands before the first `section` line.
  package var title: String?
  package var line: Int
  /// Its number among the sections of the script with the same title, counted from 1.
  var repetition = 1
  package var status = Status.passed
  /// The reason why the section was skipped, not run or expected to fail; empty otherwise.
  package var reason = ""
  package var failures: [CommandFailure] = []
  /// The number of commands that ran and passed.
  package var passedCommands = 0
  package var skippedCommands = 0
  /// The number of commands that did not run: not selected, or below a failed `require`, a `quit` or
  /// a crash.
  package var notRunCommands = 0
  package var nanoseconds = 0

  package init(title: String?, line: Int) {
    self.title = title
    self.line = line
  }

  init(_ section: ReplayScript.Section) {
    self.init(title: section.title, line: section.line)
    repetition = section.repetition
  }

  /// The name in reports: the title, numbered if it repeats: `letters (2)`. It stays the same when
  /// lines are added above, or other sections are left out.
  var name: String { ReplayScript.Section.name(title, repetition: repetition) }

  /// Whether the section has only passed commands and no reason.
  var hasOnlyPasses: Bool {
    failures.isEmpty && skippedCommands == 0 && notRunCommands == 0 && reason.isEmpty
  }

  /// Derives the status from the counts and failures.
  mutating func updateStatus() {
    if !failures.isEmpty {
      status = .failed
      reason = ""
    } else if status == .failedAsExpected {
      return
    } else if passedCommands > 0 {
      status = .passed
    } else if skippedCommands > 0 {
      status = .skipped
    } else if notRunCommands > 0 {
      status = .notRun
    }
    if status == .passed, notRunCommands + skippedCommands == 0 { reason = "" }
  }
}

// Serialization as fields of a message.
extension FileOutcome {
  func write(to line: inout FieldLine) {
    line.append(path)
    line.append(mistakes) { $0.append($1) }
    line.append(reads) { $0.append($1) }
    line.append(inputs) { $0.append($1) }
    line.append(coverage) { $1.write(to: &$0) }
    line.append(unexpectedOutput) { $1.write(to: &$0) }
    stamp.write(to: &line)
    line.append(isPartial ? 1 : 0)
    line.append(matchedConditions.sorted()) { $0.append($1) }
    line.append(seed.map(String.init))
    line.append(usage.map { [$0] } ?? []) { $1.write(to: &$0) }
    line.append(sections) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init(path: try fields.text())
    mistakes = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    reads = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    inputs = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    coverage = try fields.array { fields throws(FieldReader.Malformed) in
      try SourceCoverage(from: &fields)
    }
    unexpectedOutput = try fields.array { fields throws(FieldReader.Malformed) in
      try UnexpectedOutput(from: &fields)
    }
    stamp = try FileDigest(from: &fields)
    isPartial = try fields.int() != 0
    matchedConditions = Set(
      try fields.array { fields throws(FieldReader.Malformed) in try fields.int() })
    seed = try fields.optionalText().flatMap(UInt64.init)
    usage = try fields.array { fields throws(FieldReader.Malformed) in
      try ScriptUsage(from: &fields)
    }.first
    sections = try fields.array { fields throws(FieldReader.Malformed) in
      try SectionOutcome(from: &fields)
    }
  }
}

extension SectionOutcome {
  func write(to line: inout FieldLine) {
    line.append(title)
    line.append(self.line)
    line.append(repetition)
    line.append(status.rawValue)
    line.append(reason)
    line.append(passedCommands)
    line.append(skippedCommands)
    line.append(notRunCommands)
    line.append(nanoseconds)
    line.append(failures) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init(title: try fields.optionalText(), line: try fields.int())
    repetition = try fields.int()
    guard let status = Status(rawValue: try fields.text()) else { throw FieldReader.Malformed() }
    self.status = status
    reason = try fields.text()
    passedCommands = try fields.int()
    skippedCommands = try fields.int()
    notRunCommands = try fields.int()
    nanoseconds = try fields.int()
    failures = try fields.array { fields throws(FieldReader.Malformed) in
      try CommandFailure(from: &fields)
    }
  }
}
