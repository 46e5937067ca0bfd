import DSInterpreter
import DataSources
import DataTables

/// Runs scripts as tests in this process, each in a fresh session.
package struct ReplayRunner: Sendable {
  package var environment: ReplayEnvironment

  package init(_ environment: ReplayEnvironment = ReplayEnvironment()) {
    self.environment = environment
  }

  /// Runs a script and checks its output.
  ///
  /// A lesson is verified: what it shows, and that its exercises grade as they promise. A script that
  /// does not parse is not run. All failures are reported, not only the first. A
  /// failed `require` ends its section; `quit` and `onlyLine` end the file. Commands write their
  /// files to a temporary folder, which is removed afterwards.
  package func run(
    _ script: ReplayScript, observer: ReplayObserver = ReplayObserver()
  ) async -> FileOutcome {
    guard script.mistakes.isEmpty else { return Self.unreadable(script) }
    if let seeds = environment.exploredSeeds {
      return await explore(script, seeds, observer: observer)
    }
    if environment.isStrict, !script.isStrict {
      var script = script
      script.makeStrict()
      return await run(script, observer: observer)
    }
    if let mistake = script.mistake(inUseOf: environment.values) {
      var script = script
      script.mistakes.append(mistake)
      return Self.unreadable(script)
    }
    let variants = environment.engine == nil ? script.variants : [environment.variant]
    var outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    let selected = variants.filter { script.hasMatch(in: $0, for: environment.filter) }
    outcome.isPartial = selected.count < variants.count
    outcome.matchedConditions = script.matchedConditions(of: environment.filter)
    var missingKeys: [[MissingKey]] = []
    for (index, variant) in selected.enumerated() {
      var runner = self
      runner.environment.variant = variant
      if index > 0 { observer.runsAgain() }
      if let name = variant.name { observer.beganVariant(name) }
      var part = await runner.runOnce(script, observer: observer)
      part.sections = part.sections.map { $0.named(in: variant) }
      outcome.sections += part.sections
      missingKeys.append(part.missingKeys)
      outcome.isPartial = outcome.isPartial || part.isPartial
      outcome.reads += part.reads
      outcome.inputs += part.inputs
      outcome.usage.add(part.usage)
      outcome.coverage += part.coverage.map { $0.named(in: variant) }
      outcome.unexpectedOutput += part.unexpectedOutput.filter {
        !outcome.unexpectedOutput.contains($0)
      }
      if variant.name != nil { observer.endedVariant(part.sections) }
    }
    outcome.addMissingKeys(ofRuns: missingKeys)
    if variants.count > 1 {
      outcome.keepCommonCorrections(runs: variants.count, tested: selected.count)
    }
    return outcome
  }

  /// Runs a script under several seeds.
  /// - Returns: the outcome of the first seed that fails, or of the last one.
  private func explore(
    _ script: ReplayScript, _ seeds: ClosedRange<UInt64>, observer: ReplayObserver
  ) async -> FileOutcome {
    var runner = self
    runner.environment.exploredSeeds = nil
    var usage: ScriptUsage?
    for seed in seeds {
      runner.environment.orderSeed = seed
      if seed != seeds.lowerBound { observer.runsAgain() }
      observer.beganSeed(seed)
      var outcome = await runner.run(script, observer: observer)
      if outcome.hasFailed || seed == seeds.upperBound {
        if outcome.hasFailed { outcome.seed = seed }
        if outcome.usage != nil { outcome.usage.add(usage) }
        return outcome
      }
      usage.add(outcome.usage)
    }
    return FileOutcome(path: script.path)
  }

  private func runOnce(
    _ script: ReplayScript, observer: ReplayObserver,
    isolation: isolated (any Actor)? = #isolation
  ) async -> FileOutcome {
    // Other scripts run without an actor, because fetches leave it and come back.
    if DeterministicExecutor.current == nil, script.mayFetchInBackground {
      // The caller does not use it before the run ends.
      nonisolated(unsafe) let observer = observer
      return await DeterministicExecutor.run(seed: environment.orderSeed) { isolation in
        await runOnce(script, observer: observer, isolation: isolation)
      }
    }
    if let lesson = script.lesson {
      var outcome = await LessonVerification(script, environment, observer).run(lesson)
      let filter = environment.filter
      let count = outcome.sections.count
      outcome.sections.removeAll {
        !filter.selects(path: script.path, title: $0.title, tags: script.setting.tags)
      }
      outcome.isPartial = outcome.sections.count < count
      return outcome
    }
    return await FileOverlay.withTemporaryFolder(recordsReads: environment.recordsReads) {
      var run = ScriptRun(script, environment, observer)
      await run.run()
      run.outcome.reads = FileOverlay.current?.reads ?? []
      run.outcome.inputs = FileOverlay.current?.inputs ?? []
      return run.outcome
    }
  }

  private static func unreadable(_ script: ReplayScript) -> FileOutcome {
    var outcome = FileOutcome(path: script.path)
    outcome.stamp = script.stamp
    outcome.mistakes = script.mistakes.map { $0.plainPicture }
    var section = SectionOutcome(title: nil, line: script.mistakes.first?.place?.line ?? 1)
    section.status = .failed
    section.reason = "the script does not parse"
    outcome.sections = [section]
    return outcome
  }

  /// Runs the commands of a script without checking their output.
  /// - Returns: the output of each command, up to a `quit`.
  static func capturedOutputs(
    of script: ReplayScript, _ environment: ReplayEnvironment,
    isolation: isolated (any Actor)? = #isolation
  ) async -> [CapturedOutput] {
    if DeterministicExecutor.current == nil, script.mayFetchInBackground {
      return await DeterministicExecutor.run { isolation in
        await capturedOutputs(of: script, environment, isolation: isolation)
      }
    }
    return await FileOverlay.withTemporaryFolder {
      var run = ScriptRun(script, environment, ReplayObserver())
      var capturedOutputs: [CapturedOutput] = []
      for command in script.commands {
        let captured = await run.execute(command)
        capturedOutputs.append(captured)
        if case .quit = captured.ending { break }
      }
      return capturedOutputs
    }
  }
}
