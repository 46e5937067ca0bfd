import DSInterpreter
import DSReplay
import DataSources
import DataTables
import Glibc

/// A run of `dsshell test` with its options: tests, lists, watches or checks scripts.
struct TestProgram {
  private let options: TestCommand
  /// `args` in the scripts.
  private let arguments: [String]

  init(_ options: TestCommand, arguments: [String]) {
    self.options = options
    self.arguments = arguments
  }

  /// - Returns: the exit status.
  func run() -> Int32 {
    if options.update || options.review, !options.dryRun,
      let refusal = ScriptUpdate.refusal(environment: { Environment[$0] })
    {
      OutputStream.writeError(refusal)
      return ExitStatus.badUsage
    }
    var failedTests = FailedTests(environment: { Environment[$0] })
    let selection: TestSelection
    do throws(TestSelection.Unreadable) {
      selection = try select(failedTests)
    } catch {
      OutputStream.writeError("cannot read `\(error.path)`: \(error.reason)")
      return ExitStatus.badUsage
    }
    for folder in selection.emptyFolders where !selection.jobs.isEmpty {
      if options.strict {
        OutputStream.writeError("no test is in `\(folder)`")
        return ExitStatus.nothingMatched
      }
      OutputStream.writeLine("warning: no test is in `\(folder)`", to: STDERR_FILENO)
    }
    if selection.jobs.isEmpty {
      OutputStream.writeError(
        "no tests to run\(options.failed ? ": no test failed in its last run" : "")")
      return ExitStatus.nothingMatched
    }
    let values: [String: Value]
    do throws(SetValues.Mistake) {
      values = try SetValues.read(options.set, ofScriptsAt: selection.jobs.map(\.path))
    } catch {
      OutputStream.writeError(error.message)
      return ExitStatus.badUsage
    }
    if options.checkOnly { return check(selection.jobs, values) }
    if options.review, ReviewPrompt(allowsColor: true) == nil {
      OutputStream.writeError(
        "--review asks at a terminal; use --update, or --update --dry-run for a patch")
      return ExitStatus.badUsage
    }
    if options.list { return list(selection.jobs) }
    if let refusal = options.report.lazy.compactMap({ ReportTarget($0)?.refusal }).first {
      OutputStream.writeError(refusal)
      return ExitStatus.badUsage
    }
    if options.watch { return watch(selection.jobs, values, &failedTests) }
    return run(selection.jobs, values, &failedTests).status
  }

  /// Runs tests and writes their reports.
  private func run(
    _ jobs: [TestJob], _ values: [String: Value], _ failedTests: inout FailedTests?
  ) -> (status: Int32, ending: TestRun.Ending) {
    let prompt = options.review ? ReviewPrompt(allowsColor: true) : nil
    let output = TestOutput()
    let run = testRun(of: jobs, values, output)
    if let prompt { run.updating = .review(prompt.decide) }
    let ending = run.run()
    if !options.safe { failedTests?.replace(run: ending.run, failed: ending.failed) }
    if !ending.withoutCommand.isEmpty {
      OutputStream.writeError(
        "no command to check at "
          + ending.withoutCommand.map { "`\($0)`" }.joined(separator: ", "))
    } else if ending.status == ExitStatus.nothingMatched {
      OutputStream.writeError(filterOfSections.selectsNothing(of: description(of: jobs)))
    }
    if options.review { try? output.write(ending.summary.sentence + "\n") }
    // A signal may also end the review.
    let isInterrupted = ending.summary.isInterrupted || Interrupts.cancellation.isCancelled
    let status = isInterrupted ? Interrupts.status : ending.status
    return (output.finish(status), ending)
  }

  /// Runs tests, and again those whose files change, until it is interrupted.
  private func watch(
    _ jobs: [TestJob], _ values: [String: Value], _ failedTests: inout FailedTests?
  ) -> Int32 {
    var watch = TestWatch(options.paths)
    var jobs = jobs
    while true {
      let start = TestWatch.now
      let (status, ending) = run(jobs, values, &failedTests)
      // A test that ended early has no list of its files.
      let ran = ending.reads.map(\.job)
      for job in jobs where !ran.contains(job) { watch.record(job, reads: [], since: start) }
      for (job, files) in ending.reads { watch.record(job, reads: files, since: start) }
      if ending.summary.isInterrupted { return status }
      OutputStream.writeLine(
        "watching \(counted(watch.count, "file")); Ctrl-C ends", to: STDERR_FILENO)
      jobs = watch.wait(
        {
          var selection = try? TestSelection(options.paths)
          if let shard = options.shard { selection?.keepShard(shard.index, of: shard.count) }
          return selection?.jobs ?? []
        }, interruption: Interrupts.descriptor, cancellation: Interrupts.cancellation)
      if jobs.isEmpty { return Interrupts.status }
    }
  }

  /// Lists the sections that would run.
  private func list(_ jobs: [TestJob]) -> Int32 {
    let list = TestList(jobs, filter: filterOfSections, commands: .program)
    for mistake in list.mistakes { OutputStream.writeLine(mistake, to: STDERR_FILENO) }
    let output = TestOutput()
    do throws(ReportError) {
      try output.write(options.report.contains("jsonl") ? list.jsonLines : list.text)
    } catch {
      OutputStream.writeError("the list was not written to standard output: \(error.reason)")
      return ExitStatus.failed
    }
    if list.isEmpty {
      OutputStream.writeError(filterOfSections.selectsNothing(of: description(of: jobs)))
      return output.finish(ExitStatus.nothingMatched)
    }
    return output.finish(list.mistakes.isEmpty ? ExitStatus.done : ExitStatus.notParsed)
  }

  /// The options without which a failed test might pass, as words of a shell.
  private var repeatedOptions: [String] {
    let time = options.timeout.map { $0 == $0.rounded() ? String(Int($0)) : String($0) }
    return (options.strict ? ["--strict"] : []) + (options.safe ? ["--safe"] : [])
      + (time.map { ["--timeout", $0] } ?? [])
      + options.set.flatMap { ["--set", $0.shellWord] }
  }

  private var filterOfSections: SectionFilter {
    var sections = SectionFilter()
    sections.texts = options.filter
    sections.tags = options.tag
    sections.excluded = options.exclude
    return sections
  }

  private func select(_ failedTests: FailedTests?) throws(TestSelection.Unreadable) -> TestSelection
  {
    let failedNames = options.failed ? failedTests?.names ?? [] : []
    // A failed test that no longer exists is not an error.
    let paths = options.paths.isEmpty ? failedNames.filter(Self.exists) : options.paths
    var selection = try TestSelection(paths)
    if options.failed { selection.keep(failedNames) }
    if let shard = options.shard { selection.keepShard(shard.index, of: shard.count) }
    if let shuffle = options.shuffle { selection.shuffle(seed: shuffle) }
    return selection
  }

  private static func exists(_ name: String) -> Bool { (try? TestSelection([name])) != nil }

  /// The scripts as an error message names them.
  private func description(of jobs: [TestJob]) -> String {
    let first = jobs.first.map { "`\($0.name)`" } ?? ""
    return jobs.count == 1 ? first : "\(jobs.count) files"
  }

  private func testRun(
    of jobs: [TestJob], _ values: [String: Value], _ output: TestOutput
  ) -> TestRun {
    Interrupts.install(.tests)
    let run = TestRun(pool(values))
    run.jobs = jobs
    if options.update { run.updating = options.dryRun ? .patch : .write }
    run.seed = options.shuffle
    run.slowest = options.slowest ?? 0
    run.showsCoverage = options.coverage
    run.isStrict = options.strict
    run.warnsOfUnusedFilters =
      !options.watch && !options.failed && options.shard == nil
    addReports(to: run, output)
    return run
  }

  private func pool(_ values: [String: Value]) -> WorkerPool {
    let pool = WorkerPool()
    pool.commands = .program
    if let timeout = options.timeout {
      pool.settings.commandTime = max(1, Int(timeout * 1000))
      pool.settings.fileTime = pool.settings.commandTime * WorkerSettings.commandsInFileTime
    }
    if let explore = options.explore { pool.seeds = 1...explore }
    if let seed = options.seed { pool.seeds = seed...seed }
    pool.settings.filter = filterOfSections
    pool.settings.values = values
    pool.settings.isStrict = options.strict
    pool.settings.isSafe = options.safe
    pool.settings.rerun = ([pool.settings.rerun] + repeatedOptions).joined(separator: " ")
    // An update does not replace files that commands read.
    pool.settings.recordsReads = options.watch || options.update || options.review
    pool.settings.measuresCoverage = options.coverage
    pool.settings.arguments = arguments
    pool.settings.fillsExpectations = options.fill
    pool.settings.drawsPictures = options.report.contains { $0.hasPrefix(HTMLReport.name + "=") }
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    pool.workers = options.jobs ?? processors
    pool.retries = options.retries
    pool.stopsAtFailure = options.failFast
    pool.interruption = (Interrupts.cancellation, Interrupts.descriptor)
    return pool
  }

  /// Adds the reports of the options, and the usual one where none of them is on standard output.
  private func addReports(to run: TestRun, _ output: TestOutput) {
    let write = output.write
    let errors = OutputStream(STDERR_FILENO)
    let reportError: (String) -> Void = { try? errors.writeAll($0) }
    run.reports = options.report.compactMap { ReportTarget($0, write: write) }
    run.writePatch = write
    // A patch is the only text on standard output, and a review shows the failures itself.
    if run.reports.allSatisfy({ $0.file != nil }), !options.review {
      let isOnGitHub = Environment["GITHUB_ACTIONS"] == "true"
      let usual = isOnGitHub ? GitHubReport.name : HumanReport.name
      let writeErrors: (String) throws(ReportError) -> Void = { reportError($0) }
      run.reports += [ReportTarget(usual, write: options.dryRun ? writeErrors : write)].compactMap {
        $0
      }
    }
    // Output that programs read contains only the report.
    if options.dryRun || run.reports.contains(where: \.isForPrograms) {
      run.note = reportError
    } else {
      run.note = write
    }
    run.reportError = reportError
  }

  /// Reports the mistakes and probable mistakes in scripts without running the scripts.
  private func check(_ jobs: [TestJob], _ values: [String: Value]) -> Int32 {
    let output = TestOutput()
    var status = ExitStatus.done
    var lines: [String] = []
    for job in jobs {
      if options.safe { SafeMode.begin(reading: [FilePath.folder(of: job.path)]) }
      let check = ScriptCheck(path: job.path, values: values, commands: .program)
      if !check.mistakes.isEmpty {
        status = ExitStatus.notParsed
      } else if !check.warnings.isEmpty, status == ExitStatus.done {
        status = ExitStatus.failed
      }
      lines += check.mistakes + check.warnings
    }
    do throws(ReportError) {
      try output.write(lines.map { $0 + "\n" }.joined())
    } catch {
      OutputStream.writeError("the warnings were not written to standard output: \(error.reason)")
      return status == ExitStatus.done ? ExitStatus.failed : status
    }
    return output.finish(status)
  }
}
