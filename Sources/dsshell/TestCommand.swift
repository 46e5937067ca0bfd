import ArgumentParser
import DSInterpreter
import DSReplay
import DataSources
import Glibc
import HTTPTransport

/// `dsshell test`.
///
/// It is not a subcommand for the argument parser, which would accept the word anywhere: in
/// `dsshell a.ds test`, `test` is an argument of the script.
struct TestCommand: ParsableCommand {
  static let name = "test"
  static let configuration = CommandConfiguration(
    commandName: "dsshell \(name)",
    abstract: "Runs scripts as tests.",
    usage: "dsshell test [<options>] <path> ... [-- <args> ...]",
    discussion: """
      A path is a script, a Markdown file with ```ds fences, a script with a line (foods.ds:9 checks \
      only the command or section at line 9), or a folder, which means all .ds files in it. The \
      arguments after `--` are `args` in the scripts.

      Each script has its own virtual clock, which advances only when a command waits (waiting takes \
      no real time), and a temporary folder for the files it writes. \
      `#% clock 2024-01-31T12:00:00Z` sets the clock, `#% clock real` selects the clock of the \
      machine, `#% seed 42` sets the seed of random numbers.

      Exit status: 0 passed, 1 failures or a report that cannot be written, 2 bad usage, 3 a script \
      does not parse, 4 nothing matched, 6 a crash or an exceeded time limit, 130 interrupted, 128 \
      plus the number of any other signal that ended the run.
      """)

  @Option(help: ArgumentHelp("Number of worker processes.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Run only scripts and sections with this text in their names.", valueName: "text"))
  var filter: String?

  @Flag(help: "Run only the tests that failed in their last run from this folder.")
  var failed = false

  @Option(help: ArgumentHelp("Run only every nth script, starting with the kth.", valueName: "k/n"))
  var shard: Shard?

  @Option(help: ArgumentHelp("Random order; =seed repeats it.", valueName: "=seed"))
  var shuffle: UInt64?

  @Flag(help: "Stop at the first failed script.")
  var failFast = false

  @Option(help: ArgumentHelp("Number of times a failed script is run again.", valueName: "n"))
  var retries = 0

  @Flag(help: "Write the actual output into the scripts as expectations.")
  var update = false

  @Flag(help: "Report syntax errors and probable mistakes without running anything.")
  var checkOnly = false

  @Option(
    help: ArgumentHelp(
      "Report format: \(TestReports.names.joined(separator: ", ")); =file writes it to a file.",
      valueName: "name[=file]"), completion: .list(TestReports.names))
  var report: [String] = []

  @Option(help: ArgumentHelp("Time limit of a command.", valueName: "seconds"))
  var timeout: Double?

  @ArgumentParser.Argument(help: ArgumentHelp("Scripts and folders.", valueName: "path"))
  var paths: [String] = []

  func validate() throws {
    if paths.isEmpty && !failed {
      throw ValidationError("Name the scripts or folders to test, such as `dsshell test .`")
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs must be a number from 1 to 1024.")
    }
    if !(0...100).contains(retries) {
      throw ValidationError("--retries must be a number from 0 to 100.")
    }
    if let timeout, !(0.001...86_400).contains(timeout) {
      throw ValidationError("--timeout must be more than 0 and at most 86400 seconds.")
    }
    if let unknown = report.first(where: { ReportTarget($0) == nil }) {
      let names = TestReports.names.joined(separator: ", ")
      throw ValidationError(
        "Unknown report `\(unknown)`; expected \(names), each optionally with =FILE.")
    }
    let files = report.compactMap { ReportTarget($0)?.identity }
    if Set(files).count < files.count {
      throw ValidationError("Two reports are written to one file; name a file for each.")
    }
  }
}

/// The value of `--shard`, such as `2/5`: an index counted from 1, and the number of shards.
struct Shard: ExpressibleByArgument {
  let index: Int
  let count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], index > 0, index <= count
    else { return nil }
    self.index = index
    self.count = count
  }
}

// Running.
extension TestCommand {
  /// The command with which `record off` starts a process that runs the recorded script.
  static let recordedRunCommand = ["/proc/self/exe", name, rerun]
  private static let rerun = "--rerun"

  /// - Parameters:
  ///   - words: the arguments after `test`.
  ///   - arguments: the arguments after `--`.
  static func main(_ words: [String], arguments: [String]) async -> Never {
    if words.first == "--worker", words.count == 2 { await work(words[1]) }
    if words == [rerun] {
      await RecordedRun.serve(commands: .recording)
      Glibc.exit(ExitStatus.done)
    }
    do {
      let command = try parse(words.map(addingSeed))
      Glibc.exit(command.run(arguments: arguments))
    } catch {
      error.end(of: Self.self)
    }
  }

  /// Adds a random seed to `--shuffle`: the parser does not support optional values of options.
  private static func addingSeed(_ word: String) -> String {
    word == "--shuffle" ? "--shuffle=\(UInt32.random(in: 0...UInt32.max))" : word
  }

  /// Runs a worker of a pool.
  private static func work(_ settings: String) async -> Never {
    let network = HTTPTransport(userAgent: "dsshell/\(Version.number)")
    guard let worker = TestWorker(settings: settings, network: network) else {
      OutputStream.writeError("--worker is reserved for dsshell itself")
      Glibc.exit(ExitStatus.badUsage)
    }
    await worker.run()
    Glibc.exit(ExitStatus.done)
  }

  /// - Returns: the exit status.
  private func run(arguments: [String]) -> Int32 {
    if update, let refusal = ScriptUpdate.refusal(environment: { Environment[$0] }) {
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
    if selection.jobs.isEmpty {
      OutputStream.writeError("no tests to run\(failed ? ": no test failed in its last run" : "")")
      return ExitStatus.nothingMatched
    }
    if checkOnly { return check(selection.jobs) }
    let output = TestOutput()
    let run = testRun(of: selection.jobs, arguments: arguments, output)
    let ending = run.run()
    failedTests?.replace(run: ending.run, failed: ending.failed)
    if ending.status == ExitStatus.nothingMatched {
      OutputStream.writeError(
        ending.withoutCommand.isEmpty
          ? "no tests to run in \(description(of: selection.jobs))"
          : "no command to check at "
            + ending.withoutCommand.map { "`\($0)`" }.joined(separator: ", "))
    }
    let status = ending.summary.isInterrupted ? Interrupts.status : ending.status
    return output.finish(status)
  }

  private func select(_ failedTests: FailedTests?) throws(TestSelection.Unreadable) -> TestSelection
  {
    let failedNames = failed ? failedTests?.names ?? [] : []
    // A failed test that no longer exists is not an error.
    var selection = try TestSelection(paths.isEmpty ? failedNames.filter(Self.exists) : paths)
    if failed { selection.keep(failedNames) }
    if let shard { selection.keepShard(shard.index, of: shard.count) }
    if let shuffle { selection.shuffle(seed: shuffle) }
    return selection
  }

  private static func exists(_ name: String) -> Bool { (try? TestSelection([name])) != nil }

  /// The scripts as an error message names them.
  private func description(of jobs: [TestJob]) -> String {
    let first = jobs.first.map { "`\($0.name)`" } ?? ""
    let condition = filter.map { " with `\($0)` in their names" } ?? ""
    return (jobs.count == 1 ? first : "\(jobs.count) files") + condition
  }

  private func testRun(
    of jobs: [TestJob], arguments: [String], _ output: TestOutput
  ) -> TestRun {
    Interrupts.install(.tests)
    let pool = WorkerPool()
    if let timeout {
      pool.settings.commandTime = max(1, Int(timeout * 1000))
      pool.settings.fileTime = pool.settings.commandTime * 6
    }
    pool.settings.filter = filter
    pool.settings.arguments = arguments
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    pool.workers = min(self.jobs ?? processors, jobs.count)
    pool.retries = retries
    pool.stopsAtFailure = failFast
    pool.interruption = (Interrupts.cancellation, Interrupts.descriptor)
    let run = TestRun(pool)
    run.jobs = jobs
    run.updates = update
    run.seed = shuffle
    let write = output.write
    let errors = OutputStream(STDERR_FILENO)
    let reportError: (String) -> Void = { try? errors.writeAll($0) }
    run.reports = report.compactMap { ReportTarget($0, write: write) }
    if run.reports.allSatisfy({ $0.file != nil }), let human = TestReports.names.first {
      run.reports += [ReportTarget(human, write: write)].compactMap { $0 }
    }
    // Output that programs read contains only the report.
    if run.reports.contains(where: \.isForPrograms) {
      run.note = reportError
    } else {
      run.note = write
    }
    run.reportError = reportError
    return run
  }

  /// Reports syntax errors and probable mistakes without running the scripts.
  private func check(_ jobs: [TestJob]) -> Int32 {
    let output = TestOutput()
    var status = ExitStatus.done
    var lines: [String] = []
    for job in jobs {
      let check = ScriptCheck(path: job.path)
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
