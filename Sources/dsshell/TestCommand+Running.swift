import ArgumentParser
import DSInterpreter
import DSReplay
import DataSources
import Glibc
import HTTPTransport

extension TestCommand {
  /// The command with which `record off` starts a process that runs its script.
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
      let command = try parse(words.map(seeded))
      Glibc.exit(command.run(arguments: arguments))
    } catch {
      error.end(of: Self.self)
    }
  }

  /// The parser does not support options with an optional value.
  private static func seeded(_ word: String) -> String {
    word == "--shuffle" ? "--shuffle=\(UInt32.random(in: 0...UInt32.max))" : word
  }

  /// Runs a worker of a pool.
  private static func work(_ settings: String) async -> Never {
    let network = HTTPTransport(userAgent: "dsshell/\(Version.number)")
    guard let worker = TestWorker(settings: settings, network: network) else {
      OutputStream.refuse("--worker is reserved for dsshell itself")
      Glibc.exit(ExitStatus.badUsage)
    }
    await worker.run()
    Glibc.exit(ExitStatus.done)
  }

  /// - Returns: the exit status.
  private func run(arguments: [String]) -> Int32 {
    if update, let refusal = ScriptUpdate.refusal(environment: { Environment[$0] }) {
      OutputStream.refuse(refusal)
      return ExitStatus.badUsage
    }
    var memory = FailedTests(environment: { Environment[$0] })
    let selection: TestSelection
    do throws(TestSelection.Missing) {
      selection = try select(memory)
    } catch {
      OutputStream.refuse("cannot read `\(error.path)`: \(error.reason)")
      return ExitStatus.badUsage
    }
    if selection.jobs.isEmpty {
      OutputStream.refuse("no tests to run\(failed ? ": no test failed in its last run" : "")")
      return ExitStatus.nothingMatched
    }
    if checkOnly { return check(selection.jobs) }
    let output = TestOutput()
    let run = testRun(of: selection.jobs, arguments: arguments, output)
    let ending = run.run()
    memory?.replace(run: ending.run, failed: ending.failed)
    if ending.status == ExitStatus.nothingMatched {
      OutputStream.refuse(
        ending.withoutCommand.isEmpty
          ? "no tests to run in \(named(selection.jobs))"
          : "no command to check at "
            + ending.withoutCommand.map { "`\($0)`" }.joined(separator: ", "))
    }
    let status = ending.summary.isInterrupted ? Interrupts.status : ending.status
    return output.finish(status)
  }

  private func select(_ memory: FailedTests?) throws(TestSelection.Missing) -> TestSelection {
    let remembered = failed ? memory?.names ?? [] : []
    // A failed test that no longer exists is not an error.
    var selection = try TestSelection(paths.isEmpty ? remembered.filter(Self.isThere) : paths)
    if failed { selection.keep(remembered) }
    if let shard { selection.keepShard(shard.index, of: shard.count) }
    if let shuffle { selection.shuffle(seed: shuffle) }
    return selection
  }

  private static func isThere(_ name: String) -> Bool { (try? TestSelection([name])) != nil }

  private func named(_ jobs: [TestJob]) -> String {
    let first = jobs.first.map { "`\($0.name)`" } ?? ""
    let of = filter.map { " with `\($0)` in their names" } ?? ""
    return (jobs.count == 1 ? first : "\(jobs.count) files") + of
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
    // The output for a program contains nothing but the report.
    if run.reports.contains(where: \.isForProgram) {
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
      OutputStream.refuse("the warnings were not written to standard output: \(error.reason)")
      return status == ExitStatus.done ? ExitStatus.failed : status
    }
    return output.finish(status)
  }
}

/// Standard output of `dsshell test`.
///
/// A reader that closes its pipe, such as `head`, is not an error: the tests still run, and their result
/// is the exit status. Every other failed write is one.
private final class TestOutput {
  private let stream = OutputStream(STDOUT_FILENO)
  private var failure: ReportError?

  func write(_ text: String) throws(ReportError) {
    if let failure { throw failure }
    do throws(OutputError) {
      try stream.writeAll(text)
    } catch {
      // An interrupted write ends the run with the status of the signal; later text may still be written.
      guard case .failed(let number) = error, number != EINTR else { return }
      let failure = ReportError(reason: String(cString: strerror(number)))
      self.failure = failure
      throw failure
    }
  }

  /// Detects a write error that the file system reports only when the file is closed.
  /// - Returns: the exit status of a run whose status was `status` up to now.
  func finish(_ status: Int32) -> Int32 {
    if failure != nil { return status }
    // Closing a duplicate reports the error too, and leaves the descriptor to the process.
    let copy = dup(STDOUT_FILENO)
    guard copy >= 0, close(copy) != 0, errno != EINTR else { return status }
    let reason = String(cString: strerror(errno))
    OutputStream.refuse("the report was not written to standard output: \(reason)")
    return status == ExitStatus.done ? ExitStatus.failed : status
  }
}

extension OutputStream {
  /// Reports on standard error why a request is refused.
  fileprivate static func refuse(_ reason: String) {
    try? OutputStream(STDERR_FILENO).writeAll("error: \(reason)\n")
  }
}
