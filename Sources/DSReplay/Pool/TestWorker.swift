package import DSInterpreter
package import DataSources
import DataTables
import Glibc
import Synchronization

/// The process that runs scripts for a pool. It reads jobs from standard input and writes results
/// to standard output; descriptor 3 is its status page.
package struct TestWorker: Sendable {
  static let pageDescriptor: Int32 = 3
  private let settings: WorkerSettings
  private let commands: CommandTable
  private let network: (any Transport)?
  private let page: StatusPage
  private let cancellation = Cancellation()

  /// - Parameter network: the transport for commands under `require http` or `require clickhouse`;
  ///   other commands have no network.
  /// - Returns: nil if a pool did not start the process.
  package init?(
    settings json: String, commands: CommandTable = .replay, network: (any Transport)? = nil
  ) {
    guard let settings = WorkerSettings(json: json), let page = StatusPage(Self.pageDescriptor)
    else { return nil }
    self.settings = settings
    self.commands = commands
    self.network = network
    self.page = page
  }

  /// Runs jobs until the input ends.
  ///
  /// Does not run on an actor: a fetch leaves the actor of its caller, so each fetch would cost two
  /// thread switches.
  @concurrent
  package func run() async {
    signal(SIGPIPE, SIG_IGN)
    WorkerWatchdog.start(page, cancellation)
    var input: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while true {
      var start = 0
      while let end = input[start...].firstIndex(of: 0) {
        if let (number, job) = TestJob.read(input[start..<end]) { await run(job, number) }
        start = end + 1
      }
      input.removeFirst(start)
      // An idle worker keeps no messages pending.
      sendPending()
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count > 0 {
        input += chunk.prefix(count)
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }

  private func run(_ job: TestJob, _ number: Int) async {
    let limit = UInt64(settings.fileTime) * 1_000_000
    page.beginFile(number, timeLimit: limit)
    page.beginCommand(line: 0, timeLimit: UInt64(settings.commandTime) * 1_000_000)
    let outcome = await outcome(of: job, number)
    report(.file(outcome), number, canWait: !outcome.hasFailed)
    page.endFile()
  }

  private func outcome(of job: TestJob, _ number: Int) async -> FileOutcome {
    cancellation.reset()
    // A script may have set it.
    MemoryLimit.bytes = nil
    if settings.isSafe { SafeMode.begin(reading: [FilePath.folder(of: job.path)]) }
    let script: ReplayScript
    do throws(SourceError) {
      let text = try TextFile.read(job.path, cancellation: cancellation)
      script = ReplayScript(text, path: job.path, commands: commands)
    } catch {
      return FileOutcome(unreadable: job.path, error)
    }
    var environment = ReplayEnvironment()
    environment.commands = commands
    environment.network = network
    environment.facilities = Facility.available(hasNetwork: network != nil)
    environment.arguments = settings.arguments
    environment.onlyLine = job.line
    environment.filter = settings.filter
    environment.values = settings.values
    environment.isStrict = settings.isStrict
    environment.recordsReads = settings.recordsReads
    environment.measuresCoverage = settings.measuresCoverage
    environment.cancellation = cancellation
    environment.commandTime = .milliseconds(settings.commandTime)
    environment.rerun = settings.rerun
    environment.fillsExpectations = settings.fillsExpectations
    environment.drawsPictures = settings.drawsPictures
    environment.exploredSeeds = job.seeds
    var outcome = await ReplayRunner(environment).run(script, observer: observer(number))
    if settings.recordsReads { outcome.reads += script.dependencies }
    return outcome
  }

  private func observer(_ number: Int) -> ReplayObserver {
    var observer = ReplayObserver()
    let usual = UInt64(settings.commandTime) * 1_000_000
    observer.aboutToRun = { [page, cancellation] command in
      if page.isPendingLate { sendPending() }
      let limit = command.setting.timeout.map(Self.nanoseconds) ?? usual
      cancellation.reset()
      page.beginCommand(
        line: command.lines.lowerBound, timeLimit: limit, addedFileTime: limit > usual ? limit : 0)
    }
    observer.runsAgain = { [page, settings] in
      page.extendFile(timeLimit: UInt64(settings.fileTime) * 1_000_000)
    }
    observer.beganSeed = { report(.seedBegan($0), number, canWait: true) }
    observer.beganVariant = { report(.variantBegan($0), number) }
    observer.endedVariant = { sections in
      var outcome = FileOutcome(path: "")
      outcome.sections = sections
      report(.variantEnded(outcome), number)
    }
    observer.wrote = { [page] in page.appendOutput($0) }
    observer.failed = { report(.failure($0), number) }
    observer.ended = { section in
      if !section.hasOnlyPasses {
        report(.section(section), number)
      } else if section.nanoseconds >= Self.timeResolution {
        report(.section(section), number, canWait: true)
      }
    }
    return observer
  }

  /// The resolution of times in reports, in nanoseconds. A passed section that took less time is
  /// reported with its file.
  private static let timeResolution = 1_000_000

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    UInt64(max(1, min(duration / .nanoseconds(1), 1e18)))
  }

  /// - Parameter canWait: whether the message may be sent later.
  private func report(_ message: WorkerMessage, _ number: Int, canWait: Bool = false) {
    let line = message.line(of: number)
    if canWait, page.addPending(line) { return }
    sendPending()
    Self.send(line)
  }

  private func sendPending() {
    let pending = page.pending
    if pending.isEmpty { return }
    Self.send(pending)
    page.clearPending()
  }

  /// If the pool no longer reads, the message is dropped, and the watchdog ends the process. After
  /// another error the process ends, so that the pool does not wait for the message.
  private static func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest.removeFirst(count)
      } else if count < 0, errno != EINTR {
        if errno != EPIPE { _exit(1) }
        return
      }
    }
  }
}

/// A thread of a worker that enforces time limits and detects the end of the pool.
private enum WorkerWatchdog {
  private struct Watched: Sendable {
    let page: StatusPage
    let cancellation: Cancellation
  }

  private static let watched = Mutex<Watched?>(nil)
  /// In milliseconds.
  private static let period: Int32 = 20

  /// Cancels a command after its deadline, and ends the process when the pool is gone, even while a
  /// command hangs. The pool enforces the time limit of files.
  static func start(_ page: StatusPage, _ cancellation: Cancellation) {
    watched.withLock { $0 = Watched(page: page, cancellation: cancellation) }
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { _ in
        WorkerWatchdog.watch()
        return nil
      }, nil)
    if result == 0 { pthread_detach(thread) }
  }

  private static func watch() {
    guard let watched = watched.withLock({ $0 }) else { return }
    while true {
      var jobs = [pollfd(fd: STDIN_FILENO, events: 0, revents: 0)]
      _ = poll(&jobs, 1, period)
      if jobs[0].revents & Int16(POLLHUP) != 0 { _exit(0) }
      guard let running = watched.page.running, !running.isFileDeadline,
        running.deadline < MonotonicTime.now
      else { continue }
      watched.cancellation.cancel()
      // If the command ended in the meantime, the next one must not be canceled.
      if watched.page.running?.startTime != running.startTime { watched.cancellation.reset() }
    }
  }
}
