extension SectionOutcome {
  /// What the counts and failures come to.
  mutating func settleStatus() {
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
  mutating func settleExpectedFailures(of script: ReplayScript) {
    var lines: [Int: ReplaySetting.ExpectedFailure] = [:]
    for command in script.commands {
      guard let expected = command.setting.expectedFailure else { continue }
      lines[command.lines.lowerBound] = expected
    }
    if lines.isEmpty { return }
    var met: Set<Int> = []
    for index in sections.indices {
      var forgiven: ReplaySetting.ExpectedFailure?
      sections[index].failures.removeAll { failure in
        guard let expected = lines[failure.line] else { return false }
        met.insert(expected.line)
        forgiven = forgiven ?? expected
        return true
      }
      if let forgiven, sections[index].failures.isEmpty {
        sections[index].status = .failedAsExpected
        sections[index].reason = forgiven.reason
      }
    }
    tellUnexpectedPasses(of: script, met: met)
  }

  private mutating func tellUnexpectedPasses(of script: ReplayScript, met: Set<Int>) {
    var told = met
    for (index, section) in script.sections.enumerated() where sections.indices.contains(index) {
      guard sections[index].passedCommands > 0 else { continue }
      for position in section.commands {
        guard let expected = script.commands[position].setting.expectedFailure,
          told.insert(expected.line).inserted
        else { continue }
        var outcome = CommandOutcome(
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
