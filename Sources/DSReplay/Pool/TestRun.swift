import DataTables
import DisplayText

/// A run of tests: its pool, reports and updates.
package final class TestRun {
  package var jobs: [TestJob] = []
  package var reports: [ReportTarget] = []
  package var updating = Updating.none
  /// The seed of the order if it was shuffled.
  package var seed: UInt64?
  /// Whether the coverage of sources is written below the reports.
  package var showsCoverage = false
  /// Whether unused parts of the suite are errors.
  package var isStrict = false
  /// The number of sections that are listed with their times, the slowest first.
  package var slowest = 0
  /// Writes messages for people that are not part of a report.
  package var note: (String) throws(ReportError) -> Void = { _ in }
  /// Writes an error message: the run ended early, or a report was not written.
  package var reportError: (String) -> Void = { _ in }
  /// Writes a patch.
  package var writePatch: (String) throws(ReportError) -> Void = { _ in }
  /// Whether the jobs are all that the filter could select, so that one without a section is a mistake.
  package var warnsOfUnusedFilters = false
  private var isReviewEnded = false
  private let pool: WorkerPool

  /// The treatment of expectations that differ from the output.
  package enum Updating {
    case none
    /// The output is written into the scripts.
    case write
    /// The changes are written as a patch.
    case patch
    /// A person decides about the changes of each script; nil ends the review without more changes.
    case review((FileReview) -> Reviewed?)
  }

  /// The decisions about a script.
  package struct Reviewed {
    package let corrections: [Correction]
    /// Whether all changes are accepted, so that the test passes.
    package let isComplete: Bool
    /// Whether the review ends here.
    package let isLast: Bool

    package init(corrections: [Correction], isComplete: Bool, isLast: Bool) {
      self.corrections = corrections
      self.isComplete = isComplete
      self.isLast = isLast
    }
  }

  package init(_ pool: WorkerPool) { self.pool = pool }

  /// The result of a run.
  package struct Ending {
    package var summary = TestSummary()
    /// The names of the tests that ran as a whole.
    package var run: [String] = []
    /// The names of the tests that failed.
    package var failed: [String] = []
    /// The names of scripts and selected lines without a command.
    package var withoutCommand: [String] = []
    /// The reason why the run ended early; nil if it did not.
    package var poolError: PoolError?
    /// Messages about reports that could not be written.
    package var reportErrors: [String] = []
    /// The tests that ran with the files that they read, if the workers record them.
    package var reads: [(job: TestJob, files: [String])] = []

    /// The first status of this list that applies: 130 interrupted, 6 a crash or a hang, 3 a script
    /// or the cassette of a directive does not parse, 1 a failure or a pool error, 4 nothing to run or
    /// to check, 1 a report that was not written, or a part of a strict suite that no test uses, 0
    /// passed.
    package var status: Int32 {
      if summary.isInterrupted { return 130 }
      if summary.crashes > 0 { return 6 }
      if summary.unreadable > 0 { return 3 }
      if !failed.isEmpty || poolError != nil { return 1 }
      if summary.sections == 0 || !withoutCommand.isEmpty { return 4 }
      let isUnused = summary.isStrict && !summary.unused.isEmpty
      return reportErrors.isEmpty && !isUnused ? 0 : 1
    }
  }

  package func run() -> Ending {
    var ending = Ending()
    var results: [Int: TestResult] = [:]
    var next = 0
    let start = ContinuousClock.now
    updateReports { [seed] in $0.begin(seed: seed) }
    do throws(PoolError) {
      try pool.run(jobs) { [self] number, result in
        results[number] = result
        // Report results in the order of the jobs, each as early as possible.
        while let ready = results[next] {
          add(ready, &ending)
          next += 1
        }
      }
    } catch {
      ending.poolError = error
    }
    for number in jobs.indices.dropFirst(next) {
      if let result = results[number] { add(result, &ending) }
    }
    ending.summary.leftOut = jobs.count - results.count
    ending.summary.isInterrupted = pool.interruption.cancellation.isCancelled
    ending.summary.duration = start.duration(to: .now)
    ending.summary.isStrict = isStrict
    ending.summary.unused =
      UnusedParts(
        jobs.indices.compactMap { number in results[number].map { (jobs[number], $0.outcome) } }
      ).parts
    finish(&ending, jobs.indices.compactMap { number in results[number].map { (number, $0) } })
    return ending
  }

  private func updateReports(_ body: (inout any TestReport) -> String) {
    for index in reports.indices { reports[index].append(body) }
  }

  private func add(_ result: TestResult, _ ending: inout Ending) {
    ending.summary.add(result)
    // The filter excluded all sections of the file.
    if result.outcome.sections.isEmpty { return }
    updateReports { $0.add(result) }
  }

  private func finish(_ ending: inout Ending, _ results: [(number: Int, result: TestResult)]) {
    let summary = ending.summary
    updateReports { $0.end(summary) }
    if let error = ending.poolError { reportError("error: \(error.message)\n") }
    if warnsOfUnusedFilters, summary.sections > 0, summary.leftOut == 0, !summary.isInterrupted {
      let matched = results.reduce(into: Set()) { matched, run in
        matched.formUnion(run.result.outcome.matchedConditions)
      }
      for (index, condition) in pool.settings.filter.conditions.enumerated()
      where !matched.contains(index) {
        reportError("warning: \(condition.warning)".escapingControls() + "\n")
      }
    }
    ending.reportErrors = reports.compactMap { $0.close() }
    for message in ending.reportErrors { reportError("error: \(message)\n") }
    if showsCoverage {
      writeNote(CoverageReport(results.map(\.result)).text, "coverage", &ending)
    }
    if slowest > 0 {
      writeNote(
        SlowSections(results.map(\.result), count: slowest).text, "list of sections", &ending)
    }
    var update = makeUpdate(results.map(\.result.outcome))
    for (number, result) in results {
      let name = jobs[number].name
      ending.reads.append((jobs[number], result.outcome.reads))
      // The sections that a filter left out may still fail.
      if !result.outcome.isPartial { ending.run.append(name) }
      if jobs[number].line != nil
        ? !result.outcome.hasCheckedCommands : result.outcome.isEmptyScript
      {
        ending.withoutCommand.append(name)
      }
      guard result.outcome.hasFailed else { continue }
      if !self.update(result.outcome, &update) { ending.failed.append(name) }
    }
    if case .none = updating, !isReviewEnded { return }
    add(update, &ending)
  }

  private func makeUpdate(_ outcomes: [FileOutcome]) -> ScriptUpdate {
    if case .none = updating { return ScriptUpdate() }
    var update = ScriptUpdate()
    if case .patch = updating { update = ScriptUpdate(writes: false) }
    update.users = SideFileUsers(outcomes, commands: pool.commands)
    return update
  }

  /// - Returns: whether the script is as its output now.
  private func update(_ outcome: FileOutcome, _ update: inout ScriptUpdate) -> Bool {
    let refusals = update.refusals.count
    switch updating {
    case .none: return false
    case .write, .patch:
      update.update(outcome, commands: pool.commands)
      if case .patch = updating { return false }
      return update.refusals.count == refusals && outcome.isParsed && !outcome.failures.isEmpty
    case .review(let decide):
      // Only a review shows no report.
      update.refuseMistakes(of: outcome)
      guard update.canUpdate(outcome) else { return false }
      guard let review = FileReview(outcome, commands: pool.commands) else {
        update.refuse(outcome, "the script changed since it was run; run the test again")
        return false
      }
      guard let reviewed = decide(review) else {
        update.refuse(outcome, "the review was interrupted")
        updating = .none
        isReviewEnded = true
        return false
      }
      if reviewed.isLast {
        updating = .none
        isReviewEnded = true
      }
      if !reviewed.corrections.isEmpty {
        update.apply(reviewed.corrections, of: outcome, commands: pool.commands)
      }
      return reviewed.isComplete && update.refusals.count == refusals
    }
  }

  private func add(_ update: ScriptUpdate, _ ending: inout Ending) {
    if !update.patch.isEmpty { write(update.patch, "patch", &ending, with: writePatch) }
    let text = (update.refusals + [update.sentence]).map { $0 + "\n" }.joined()
    writeNote(text, "result of the update", &ending)
  }

  /// - Parameter name: the name of the text in an error message.
  private func writeNote(_ text: String, _ name: String, _ ending: inout Ending) {
    write(text, name, &ending, with: note)
  }

  private func write(
    _ text: String, _ name: String, _ ending: inout Ending,
    with writer: (String) throws(ReportError) -> Void
  ) {
    do throws(ReportError) {
      try writer(text)
    } catch {
      // The report to standard output has failed for the same reason, and its error is enough.
      if reports.contains(where: \.hasFailedOutput) { return }
      let message = "the \(name) was not written to standard output: \(error.reason)"
      ending.reportErrors.append(message)
      reportError("error: \(message)\n")
    }
  }
}

extension FileOutcome {
  /// Whether a script has no command. Markdown without a script may be among the paths of a pattern.
  fileprivate var isEmptyScript: Bool {
    isParsed && !isPartial && sections.isEmpty && !ScriptFence.isMarkdown(path)
  }
}
