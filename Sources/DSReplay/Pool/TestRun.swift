import DataTables

/// A run of tests: its pool, reports and updates.
package final class TestRun {
  package var jobs: [TestJob] = []
  package var reports: [ReportTarget] = []
  /// Whether the actual output is written into the scripts as expectations.
  package var updates = false
  /// The seed of the order if it was shuffled.
  package var seed: UInt64?
  /// Writes messages for people that are not part of a report.
  package var note: (String) throws(ReportError) -> Void = { _ in }
  /// Writes an error message: the run ended early, or a report was not written.
  package var reportError: (String) -> Void = { _ in }
  private let pool: WorkerPool

  package init(_ pool: WorkerPool) { self.pool = pool }

  /// The result of a run.
  package struct Ending {
    package var summary = TestSummary()
    /// The names of the tests that ran.
    package var run: [String] = []
    /// The names of the tests that failed.
    package var failed: [String] = []
    /// The names of selected lines without a command.
    package var withoutCommand: [String] = []
    /// The reason why the run ended early; nil if it did not.
    package var poolError: PoolError?
    /// Messages about reports that could not be written.
    package var reportErrors: [String] = []

    /// The first status of this list that applies: 130 interrupted, 6 a crash or a hang, 3 a script
    /// does not parse, 1 a failure or a pool error, 4 nothing to run or to check, 1 a report that
    /// was not written, 0 passed.
    package var status: Int32 {
      if summary.isInterrupted { return 130 }
      if summary.crashes > 0 { return 6 }
      if summary.unreadable > 0 { return 3 }
      if !failed.isEmpty || poolError != nil { return 1 }
      if summary.sections == 0 || !withoutCommand.isEmpty { return 4 }
      return reportErrors.isEmpty ? 0 : 1
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

  private func finish(_ ending: inout Ending, _ results: [(number: Int, TestResult)]) {
    let summary = ending.summary
    updateReports { $0.end(summary) }
    if let error = ending.poolError { reportError("error: \(error.message)\n") }
    ending.reportErrors = reports.compactMap { $0.close() }
    for message in ending.reportErrors { reportError("error: \(message)\n") }
    var update = ScriptUpdate()
    for (number, result) in results {
      let name = jobs[number].name
      ending.run.append(name)
      if jobs[number].line != nil, !result.outcome.hasCheckedCommands {
        ending.withoutCommand.append(name)
      }
      guard result.outcome.hasFailed else { continue }
      let refusals = update.refusals.count
      if updates { update.update(result.outcome, commands: pool.commands) }
      let isUpdated =
        updates && update.refusals.count == refusals
        && result.outcome.isParsed && !result.outcome.failures.isEmpty
      if !isUpdated { ending.failed.append(name) }
    }
    if updates { add(update, &ending) }
  }

  private func add(_ update: ScriptUpdate, _ ending: inout Ending) {
    do throws(ReportError) {
      try note((update.refusals + [update.sentence]).map { $0 + "\n" }.joined())
    } catch {
      // The report to standard output has failed for the same reason, and its error is enough.
      if reports.contains(where: \.hasFailedOutput) { return }
      let message = "the result of the update was not written to standard output: \(error.reason)"
      ending.reportErrors.append(message)
      reportError("error: \(message)\n")
    }
  }
}
