extension SectionOutcome {
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
