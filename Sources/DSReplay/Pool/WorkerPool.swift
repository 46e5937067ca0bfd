package import DSInterpreter
package import DataTables
import Glibc

/// A pool of processes; each process runs many jobs in turn.
///
/// A worker that crashes or hangs fails only the file it runs, and is replaced. The pool kills a
/// worker whose watchdog cannot end a hanging command.
package final class WorkerPool {
  /// The program and first arguments of a worker; the settings follow.
  package var command = ["/proc/self/exe", "test", "--worker"]
  package var settings = WorkerSettings()
  package var commands = CommandTable.replay
  package var workers = 1
  /// Each script runs once for each seed, up to the first that fails; nil for one run.
  package var seeds: ClosedRange<UInt64>?
  /// How many times a failed file is run again.
  package var retries = 0
  package var stopsAtFailure = false
  /// The cancellation that stops the run, and a descriptor that becomes readable when the run is
  /// canceled; -1 for none.
  package var interruption = (cancellation: Cancellation(), descriptor: Int32(-1))

  /// Called with the number and the final result of a job.
  private var ended: (Int, TestResult) -> Void = { _, _ in }
  private var jobs = JobParts([], seeds: nil, workers: 1)
  /// The numbers of waiting parts; the last one is next.
  private var queue: [Int] = []
  private var attempts: [Int: [FileOutcome]] = [:]
  private var pooled: [PooledWorker] = []
  private var hasStopped = false
  /// Whether parts may be waiting or running whose results no longer matter.
  private var hasUnneededParts = false
  private var started = 0
  private var failedStarts = 0
  /// A description of the end of the last worker that died before or between jobs.
  private var lastEnd = ""

  /// The time a canceled command has to end, in nanoseconds.
  private static let grace: UInt64 = 500_000_000
  /// The interval between checks of deadlines, in milliseconds.
  private static let period: Int32 = 50
  /// The maximum number of parts sent ahead to a worker; their paths always fit into a pipe.
  private static let maximumAhead = 12
  /// The maximum number of consecutive workers that end before they run anything.
  private static let maximumFailedStarts = 3

  package init() {}

  /// Runs jobs; returns when all have ended or the run is stopped.
  /// - Parameter ended: called with the index and the result of each job, in any order.
  /// - Throws: ``PoolError`` if workers cannot run. Results up to then were reported.
  package func run(
    _ jobs: [TestJob], _ ended: @escaping (Int, TestResult) -> Void
  ) throws(PoolError) {
    // A write to a worker that has ended fails with EPIPE instead of ending this process.
    signal(SIGPIPE, SIG_IGN)
    self.jobs = JobParts(jobs, seeds: seeds, workers: workers)
    self.ended = ended
    queue = self.jobs.parts.indices.reversed()
    FreshFolder.removeLeftovers()
    let folder = try FreshFolder()
    defer {
      for worker in pooled { finish(worker) }
      pooled = []
      folder.remove()
    }
    while !hasStopped, !interruption.cancellation.isCancelled {
      endUnneededParts()
      try fill(folder)
      if pooled.isEmpty { return }
      wait()
      endHungWorkers()
    }
    if interruption.cancellation.isCancelled {
      collectRemaining()
      for (job, result) in self.jobs.failures { ended(job, result) }
    }
  }

  /// Ends the workers and collects their last messages.
  private func collectRemaining() {
    for worker in pooled { worker.process.end() }
    for worker in pooled {
      while worker.readMessages({ end($0, $1) }) {}
      worker.readPending { end($0, $1) }
    }
  }

  private func finish(_ worker: PooledWorker) {
    // A worker still has jobs only if the run ended early or their results no longer matter.
    if !worker.outstanding.isEmpty { worker.process.end() }
    _ = worker.process.finish()
  }

  /// Drops the parts whose results no longer matter, and ends the workers that run only such parts.
  private func endUnneededParts() {
    guard hasUnneededParts else { return }
    hasUnneededParts = false
    queue.removeAll { !jobs.isNeeded($0) }
    let unneeded = pooled.filter { worker in
      !worker.outstanding.isEmpty && worker.outstanding.allSatisfy { !jobs.isNeeded($0) }
    }
    for worker in unneeded { finish(worker) }
    pooled.removeAll { worker in unneeded.contains { $0 === worker } }
  }

  /// Starts missing workers, sends jobs to all, and ends idle workers.
  private func fill(_ folder: FreshFolder) throws(PoolError) {
    if failedStarts >= Self.maximumFailedStarts { throw .noWorkers(lastEnd) }
    let busy = pooled.reduce(0) { $0 + ($1.outstanding.isEmpty ? 0 : 1) }
    while pooled.count < min(workers, busy + queue.count) {
      started += 1
      let workerFolder = try folder.makeWorkerFolder(String(started))
      let process = try WorkerProcess(command + [settings.json], folder: workerFolder)
      pooled.append(PooledWorker(process))
    }
    for worker in pooled where worker.outstanding.count <= ahead / 2 { sendJobs(to: worker) }
    if queue.isEmpty {
      for worker in pooled where worker.outstanding.isEmpty { finish(worker) }
      pooled.removeAll { $0.outstanding.isEmpty }
    }
  }

  /// The number of jobs sent ahead to a worker: fewer near the end, so that all workers have jobs.
  private var ahead: Int {
    // Parts of one job may become unneeded.
    if jobs.areDivided { return 1 }
    return max(1, min(Self.maximumAhead, queue.count / (2 * max(1, workers))))
  }

  private func sendJobs(to worker: PooledWorker) {
    let count = min(queue.count, max(1, ahead) - worker.outstanding.count)
    guard count > 0 else { return }
    let numbers = queue.suffix(count).reversed()
    queue.removeLast(count)
    // A worker without jobs would wait for them.
    if !worker.send(numbers.map { ($0, jobs.parts[$0]) }) { worker.process.end() }
  }

  private func wait() {
    var polled = pooled.map { pollfd(fd: $0.process.results, events: Int16(POLLIN), revents: 0) }
    polled.append(pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0))
    guard poll(&polled, nfds_t(polled.count), Self.period) > 0 else { return }
    for (worker, polled) in zip(pooled, polled) where polled.revents != 0 {
      if !worker.readMessages({ self.end($0, $1) }) { handleDeath(of: worker) }
      if hasStopped { return }
    }
  }

  private func endHungWorkers() {
    let now = MonotonicTime.now
    for worker in pooled where worker.timeout == nil {
      guard let running = worker.process.page.running,
        now > running.deadline &+ (running.isFileDeadline ? 0 : Self.grace)
      else { continue }
      worker.timeout = running
      worker.process.end()
    }
  }

  private func end(_ number: Int, _ outcome: FileOutcome) {
    // Results that arrive after the stop are ignored, and those that no longer matter.
    if hasStopped || !jobs.isNeeded(number) { return }
    let all = (attempts.removeValue(forKey: number) ?? []) + [outcome]
    if outcome.hasFailed, outcome.isParsed, all.count <= retries {
      attempts[number] = all
      queue.append(number)
      return
    }
    if outcome.hasFailed, jobs.areDivided { hasUnneededParts = true }
    let result = TestResult(outcome, attempts: Array(all.dropLast()))
    guard let (job, result) = jobs.add(result, of: number) else { return }
    ended(job, result)
    if result.outcome.hasFailed && stopsAtFailure { hasStopped = true }
  }
}

// Dead workers.
extension WorkerPool {
  /// Attributes the end of a worker to the line it ran; its other jobs return to the queue.
  private func handleDeath(of worker: PooledWorker) {
    pooled.removeAll { $0 === worker }
    worker.readPending { self.end($0, $1) }
    let last = worker.lastRun
    let output = worker.process.page.lastOutput
    let end = worker.process.finish()
    queue += worker.outstanding.reversed().filter { $0 != last?.job }
    guard let last, jobs.parts.indices.contains(last.job) else {
      failedStarts = worker.hasSentMessages ? 0 : failedStarts + 1
      lastEnd = end
      return
    }
    failedStarts = 0
    let cause: WorkerDeath.Cause =
      switch worker.timeout {
      case .some(let running) where running.isFileDeadline: .fileTimeout(settings.fileTime)
      case .some: .timeout
      case nil: .crash(end)
      }
    let death = WorkerDeath(
      job: jobs.parts[last.job], line: last.line, cause: cause, output: output,
      sections: worker.sections, failures: worker.failures, variant: worker.variant,
      seed: worker.seed)
    self.end(last.job, death.outcome(commands: commands, settings))
  }
}
