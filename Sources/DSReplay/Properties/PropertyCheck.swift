import DSInterpreter
import DataSources
import DataTables

/// Checks that the expectations of a section hold under random edits of the sources that it mentions
/// (`#% property N`), and finds the fewest edits that break one.
struct PropertyCheck {
  let script: ReplayScript
  /// The index of the section.
  let section: Int
  let runs: Int
  /// The line of the directive.
  let line: Int
  /// The lines of the commands that fail as `xfail` expects also without edits; they check nothing.
  let failedLines: Set<Int>
  let environment: ReplayEnvironment
  let observer: ReplayObserver

  /// The most edits of a run, so that all their subsets can be tried.
  private static let maximumEdits = 6
  /// The number of runs after which a section without a possible edit is given up.
  private static let triedRuns = 20

  /// Edits that break a property.
  private struct Counterexample {
    var failure: CommandFailure
    var edits: [EditStep]
    /// The index of the command before which they are made.
    var place: Int
  }

  /// The indices of the commands whose expectations must hold.
  private var checks: Set<Int> {
    Set(
      script.sections[section].commands.filter { index in
        let command = script.commands[index]
        return command.mayCheck && command.setting.reasonToSkip(environment) == nil
          && !failedLines.contains(command.lines.lowerBound)
      })
  }

  /// - Returns: the failure of the first run in which an expectation does not hold; nil if all hold, or
  ///   if this machine lacks a facility that all of them require.
  func failure() async -> CommandFailure? {
    let commands = script.sections[section].commands
    guard let lastCheck = checks.max() else { return nil }
    var hasEdited = false
    var refusal: String?
    // Without an edit so far, more runs are tried: the only edit may have been a fetch that fails.
    for number in 0..<max(runs, Self.triedRuns) where number < runs || !hasEdited {
      observer.runsAgain()
      var random = RandomEdits(seed: seed(ofRun: number))
      // The runs begin with few edits.
      let count = 1 + random.number(0..<1 + min(number, runs - 1) * Self.maximumEdits / runs)
      var place = random.number(commands.lowerBound..<lastCheck + 1)
      var edits = PropertyTrial.Edits.random(random, count: count)
      let (ending, refused) = await ending(of: &edits, before: &place)
      refusal = refusal ?? refused
      if case .known(let made) = edits, made.contains(where: { !$0.isFault }) {
        hasEdited = true
      }
      if case .broken(let failure, _) = ending, case .known(let made) = edits {
        let found = Counterexample(failure: failure, edits: made, place: place)
        return report(await smallest(found), run: number + 1)
      }
      if !hasEdited, number + 1 == Self.triedRuns {
        return failureToEdit(refusal)
      }
    }
    return nil
  }

  /// Each run has a seed of its own, so that it does not depend on the runs before it.
  private func seed(ofRun number: Int) -> UInt64 {
    var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
    return generator.next()
  }

  /// The seed that is set where the section begins.
  private var seed: UInt64 {
    if let seed = environment.orderSeed { return seed }
    let last = script.steps.last { step in
      if case .seed = step.directive {
        step.command <= script.sections[section].commands.lowerBound
      } else {
        false
      }
    }
    if case .seed(let seed)? = last?.directive { return seed }
    return environment.seed
  }

  private func ending(
    of edits: inout PropertyTrial.Edits, before place: inout Int
  ) async -> (PropertyTrial.Ending, refusal: String?) {
    var trial = PropertyTrial(
      script, section: section, line: line, checks: checks, environment, observer)
    var (tried, start) = (edits, place)
    let ending = await FileOverlay.withTemporaryFolder {
      await trial.prepare()
      return await trial.run(&tried, before: &start)
    }
    (edits, place) = (tried, start)
    return (ending, trial.refusal)
  }

  // MARK: Shrinking

  /// The fewest of the edits that break an expectation.
  private func smallest(_ found: Counterexample) async -> Counterexample {
    // A run that exceeds a time limit is not repeated.
    if found.failure.kind == .timeout { return found }
    for count in 0..<found.edits.count {
      for chosen in subsets(of: found.edits, count: count) {
        observer.runsAgain()
        var edits = PropertyTrial.Edits.known(chosen)
        var place = found.place
        let (ending, _) = await ending(of: &edits, before: &place)
        if case .broken(let failure, _) = ending, failure.kind != .timeout {
          return Counterexample(failure: failure, edits: chosen, place: place)
        }
      }
    }
    return found
  }

  /// The subsets with some number of elements, in order.
  private func subsets(of edits: [EditStep], count: Int) -> [[EditStep]] {
    (0..<1 << edits.count).filter { $0.nonzeroBitCount == count }.map { bits in
      edits.indices.filter { bits >> $0 & 1 == 1 }.map { edits[$0] }
    }
  }

  // MARK: Reporting

  private func report(_ found: Counterexample, run: Int) -> CommandFailure {
    var failure = found.failure
    if failure.kind == .expectation || failure.kind == .error || failure.kind == .mismatch {
      failure.kind = .property
    }
    failure.correction = nil
    let place = script.commands[found.place].lines.lowerBound
    let count = counted(found.edits.count, "edit")
    let start = "run \(run) of \(max(run, runs)) with seed \(seed): \(count)"
    failure.message = "\(start) before line \(place): \(failure.message)"
    var notes = [
      found.edits.isEmpty
        ? "\(start); it also fails when the section runs again"
        : "\(start) before line \(place)"
    ]
    notes += found.edits.flatMap(\.commands).map { "  " + $0 }
    let width = max(4, String(failure.line).count)
    let lines = PictureRow.text(notes.map { PictureRow(.note, $0) }, width: width)
    // The command that runs the test again stays last.
    let end = failure.picture.lastIndex { $0.hasPrefix("     rerun ") } ?? failure.picture.count
    failure.picture.insert(contentsOf: lines, at: end)
    return failure
  }

  private func failureToEdit(_ refusal: String?) -> CommandFailure {
    let message =
      refusal.map { "`property` cannot edit the sources that the section names: \($0)" }
      ?? "`property` needs a source with objects that the section names above its last check and "
      + "that can be edited"
    var failure = CommandFailure(line: line, kind: .property, message: message)
    failure.picture = FailurePicture.lines(
      ofDirectiveAt: line, in: script, section: section, note: message,
      rerun: RerunCommand(
        command: environment.rerun, arguments: environment.arguments, seed: environment.orderSeed))
    return failure
  }
}

extension ScriptRun {
  /// Checks the property of a section whose commands have passed.
  ///
  /// - Parameter failedLines: the lines of the commands that failed as expected.
  func failureOfProperty(
    of section: ReplayScript.Section, at index: Int, failedLines: Set<Int>
  ) async -> CommandFailure? {
    guard let property = section.setting.property else { return nil }
    var environment = environment
    environment.onlyLine = nil
    environment.measuresCoverage = false
    let quiet = ReplayObserver.forTrials(of: observer)
    return await PropertyCheck(
      script: script, section: index, runs: property.runs, line: property.line,
      failedLines: failedLines, environment: environment, observer: quiet
    ).failure()
  }

  /// Runs the sections above a section and the scripts attached to it, without checks.
  mutating func runUnjudged(before section: ReplayScript.Section) async {
    // The run of the section has reported a failure.
    _ = await openTables()
    let running = environment.runningSections(of: script)
    for (index, other) in script.sections.enumerated()
    where other.commands.lowerBound <= section.commands.lowerBound {
      let isOwn = other.line == section.line
      var isCutShort = !running.contains(index)
      // The directives of the section itself take effect in the trial.
      defer { if !isOwn { endSection(index, isCutShort: isCutShort) } }
      if isCutShort { continue }
      var ignored = SectionOutcome(other)
      // Failures name the section of this index.
      outcome.sections = Array(repeating: ignored, count: index)
      if !anyCommandRuns(of: other) { continue }
      let failed = await runAttached(other.setting.before, to: other, &ignored)
      if isOwn { return }
      for index in other.commands where failed == nil {
        let command = script.commands[index]
        if command.setting.reasonToSkip(environment) != nil { continue }
        prepare(command)
        _ = await runSteps(upTo: index)
        if case .quit = await execute(command).ending { return }
        if interpreter.session.execution.requirementFailed {
          isCutShort = true
          break
        }
      }
      await runAttached(other.setting.after, to: other, &ignored)
    }
  }
}

extension ReplayObserver {
  /// Announces commands and shows their output, but reports no results.
  static func forTrials(of other: ReplayObserver) -> ReplayObserver {
    var observer = ReplayObserver()
    observer.aboutToRun = other.aboutToRun
    observer.wrote = other.wrote
    observer.runsAgain = other.runsAgain
    return observer
  }
}
