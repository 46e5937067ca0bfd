import DSInterpreter

// Scripts that run before or after the commands of a section.
extension ScriptRun {
  /// Runs scripts in order, in the session of this run.
  ///
  /// The first failure of a script before a section ends it and leaves out the scripts below it. All
  /// commands of the scripts after a section run.
  /// - Parameter result: receives the failures.
  /// - Returns: the script that failed; nil if all succeeded.
  @discardableResult
  mutating func runAttached(
    _ scripts: [AttachedScript], to section: ReplayScript.Section, _ result: inout SectionOutcome
  ) async -> AttachedScript? {
    var failed: AttachedScript?
    for attached in scripts {
      let failures = await failures(of: attached, in: section)
      if failures.isEmpty { continue }
      failed = failed ?? attached
      result.failures += failures.map { $0.placed(in: section, of: script, attached, rerun) }
      result.failures.suffix(failures.count).forEach(observer.failed)
      if attached.place == .before { break }
    }
    return failed
  }

  /// Runs all commands of a script, and those attached to it.
  ///
  /// - Parameter section: the section to whose line a crash is attributed.
  private mutating func failures(
    of attached: AttachedScript, in section: ReplayScript.Section
  ) async -> [CommandFailure] {
    let line = section.line
    var observer = ReplayObserver()
    let outer = self.observer
    observer.aboutToRun = { outer.aboutToRun($0.moved(toLine: line)) }
    observer.wrote = outer.wrote
    let folder = interpreter.session.options.folder
    var run = ScriptRun(attached.script, attachedTo: self, observer)
    run.interpreter.session.options.folder = FilePath.folder(of: attached.script.path)
    run.interpreter.announce(attached.script.lines)
    let failures = await run.runAsAttached(stopsAtFailure: attached.place == .before)
    run.interpreter.retract()
    resume(after: run)
    interpreter.session.options.folder = folder
    adopt(run.backgroundCommands, of: attached, in: section)
    return failures
  }

  private mutating func runAsAttached(stopsAtFailure: Bool) async -> [CommandFailure] {
    var failures: [CommandFailure] = []
    for (number, section) in script.sections.enumerated() {
      // Failures name their section.
      outcome.sections = Array(
        repeating: SectionOutcome(title: nil, line: 0), count: number)
      var result = SectionOutcome(section)
      defer { endSection(number, isCutShort: false) }
      if !anyCommandRuns(of: section) { continue }
      if await runAttached(section.setting.before, to: section, &result) == nil {
        for index in section.commands where !(stopsAtFailure && !result.failures.isEmpty) {
          await runCommand(index, &result)
        }
      }
      await runAttached(section.setting.after, to: section, &result)
      failures += result.failures
      if stopsAtFailure, !failures.isEmpty { return failures }
    }
    failures += script.unexpectedPasses(passed: Set(passedLines), rerun).map(\.failure)
    failures += missingIgnoredKeys.map(\.failure)
    // Also directives without a command below them.
    if let failure = await runSteps(upTo: script.commands.count) { failures.append(failure) }
    return failures
  }

  /// Runs a command of an attached script, unless it is skipped.
  private mutating func runCommand(_ index: Int, _ result: inout SectionOutcome) async {
    let command = script.commands[index]
    if let reason = command.setting.reasonToSkip(environment) {
      return captures.leaveOut(command, reason: reason)
    }
    prepare(command)
    if let failure = await runSteps(upTo: index) { result.failures.append(failure) }
    let captured = await execute(command)
    noteBackgroundFetches(of: command, isTested: true)
    guard let failure = await failure(of: command, captured) ?? failureOfQuit(command, captured)
    else {
      passedLines.append(command.lines.lowerBound)
      return
    }
    if command.setting.expectedFailure != nil, failure.kind.canBeExpected {
      captures.noteMissing(command)
      return
    }
    result.failures.append(failure)
  }

  private func failureOfQuit(
    _ command: ReplayCommand, _ captured: CapturedOutput
  ) -> CommandFailure? {
    guard case .quit = captured.ending else { return nil }
    let message = "an attached script cannot end the test; remove `quit`"
    var failure = CommandFailure(line: command.lines.lowerBound, kind: .error, message: message)
    var picture = picture(of: command)
    picture.note(message)
    failure.picture = picture.lines(canAccept: false)
    return failure
  }
}

extension CommandFailure {
  /// The failure as one of the section to which its script is attached: its line is that of the
  /// directive, and an update of `script` cannot correct it.
  func placed(
    in section: ReplayScript.Section, of script: ReplayScript, _ attached: AttachedScript,
    _ rerun: RerunCommand
  ) -> CommandFailure {
    var placed = self
    placed.origin = origin ?? Origin(path: attached.script.path, line: line)
    placed.line = attached.line
    placed.correction = nil
    let title = section.title.map { " \"\($0)\"" } ?? ""
    placed.picture.removeAll { $0.hasPrefix("     rerun ") }
    placed.picture += [
      "     │ it runs \(attached.place.rawValue) the section\(title) of line \(section.line)",
      rerun.line(of: script.path, line: section.line),
    ]
    return placed
  }
}

extension ReplayScript.Section {
  /// The reason why the commands of a script before the section are all skipped, such as a missing
  /// facility: then those of the section are skipped, too. nil if the scripts before it run.
  func reasonToSkipScriptsBefore(_ environment: ReplayEnvironment) -> String? {
    setting.before.lazy.compactMap { $0.script.reasonToSkip(environment) }.first
  }
}

extension ReplayScript {
  /// The reason why all commands of the script are skipped; nil if any runs, or there are none.
  fileprivate func reasonToSkip(_ environment: ReplayEnvironment) -> String? {
    var first: String?
    for section in sections where !section.commands.isEmpty {
      let reason = section.reasonToSkipScriptsBefore(environment)
      for command in commands[section.commands] {
        guard let skip = reason ?? command.setting.reasonToSkip(environment) else { return nil }
        first = first ?? skip
      }
    }
    return first
  }
}
