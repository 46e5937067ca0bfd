import DSInterpreter
import DataSources

/// How a script went, as a plain value that can cross from one process to another (``json``).
package struct FileOutcome: Sendable, Equatable {
  /// As it was named.
  package var path: String
  /// As many as the script has; when it does not parse, one that failed.
  package var sections: [SectionOutcome] = []
  /// What made the script unreadable, as pictures; nothing of it was run then.
  package var mistakes: [String] = []
  /// A digest of the file as it was read; updating refuses a file that has another one.
  package var stamp: FileStamp = FileStamp()

  package init(path: String) { self.path = path }

  /// Of a script that cannot be read, or is no text.
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
  /// Whether there was a command to judge, of which some are skipped.
  var hasCheckedCommands: Bool {
    hasFailed
      || sections.contains {
        $0.passedCommands + $0.skippedCommands > 0 || $0.status == .failedAsExpected
      }
  }
}

// Expected failures (`xfail`).
extension FileOutcome {
  /// Forgives failures where `xfail` says that there are some, and tells where there were none.
  /// - Parameter passed: the first lines of the commands that were judged and were as expected.
  mutating func applyExpectedFailures(of script: ReplayScript, passed: [Int]) {
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
    addUnexpectedPasses(of: script, passed: Set(passed))
  }

  /// A failure is missed where all commands that may have it passed: of one that was not run, or was
  /// skipped, nothing is known.
  private mutating func addUnexpectedPasses(of script: ReplayScript, passed: Set<Int>) {
    var reported: Set<Int> = []
    for command in script.commands where !passed.contains(command.lines.lowerBound) {
      if let expected = command.setting.expectedFailure { reported.insert(expected.line) }
    }
    for (index, section) in script.sections.enumerated() where sections.indices.contains(index) {
      for position in section.commands {
        guard let expected = script.commands[position].setting.expectedFailure,
          reported.insert(expected.line).inserted
        else { continue }
        var outcome = CommandFailure(
          line: expected.line, kind: .unexpectedPass,
          message: "it passed, and `xfail` expects a failure: \(expected.reason)")
        outcome.picture = FailurePicture.ofLine(
          expected.line, in: script, section: index,
          note: "it passed; when it is mended, the line can go")
        sections[index].failures.append(outcome)
      }
    }
  }
}

/// How a section of a script went.
package struct SectionOutcome: Sendable, Equatable {
  package enum Status: String, Sendable, CaseIterable {
    case passed, failed, skipped
    /// It failed as `xfail` says, and so passed.
    case failedAsExpected
    /// Another section was asked for, or what came before it ended the file.
    case notRun
  }
  /// nil for what stands before the first `section` line.
  package var title: String?
  package var line: Int
  package var status = Status.passed
  /// Why it was skipped, not run, or expected to fail; empty otherwise.
  package var reason = ""
  package var failures: [CommandFailure] = []
  /// Commands that were run and were as expected.
  package var passedCommands = 0
  package var skippedCommands = 0
  /// After a failed `require`, a `quit`, a crash.
  package var notRunCommands = 0
  package var nanoseconds = 0

  package init(title: String?, line: Int) {
    self.title = title
    self.line = line
  }

  /// Whether there is nothing to tell of it but how many commands passed.
  var hasOnlyPasses: Bool {
    failures.isEmpty && skippedCommands == 0 && notRunCommands == 0 && reason.isEmpty
  }

  /// What the counts and failures come to.
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

// The fields of an outcome, as one process writes them and another reads them.
extension FileOutcome {
  func write(to line: inout FieldLine) {
    line.put(path)
    line.put(mistakes) { $0.put($1) }
    stamp.write(to: &line)
    line.put(sections) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init(path: try fields.text())
    mistakes = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    stamp = try FileStamp(from: &fields)
    sections = try fields.array { fields throws(FieldReader.Malformed) in
      try SectionOutcome(from: &fields)
    }
  }
}

extension SectionOutcome {
  func write(to line: inout FieldLine) {
    line.put(title)
    line.put(self.line)
    line.put(status.rawValue)
    line.put(reason)
    line.put(passedCommands)
    line.put(skippedCommands)
    line.put(notRunCommands)
    line.put(nanoseconds)
    line.put(failures) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init(title: try fields.optionalText(), line: try fields.int())
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
