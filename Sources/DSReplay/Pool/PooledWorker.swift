import Glibc

/// A worker with its jobs and the messages received from it.
final class PooledWorker {
  let process: WorkerProcess
  /// The numbers of jobs that were sent and have not ended, in the order in which they run.
  private(set) var outstanding: [Int] = []
  /// The results of the running file so far, in case the worker dies.
  private(set) var sections: [SectionOutcome] = []
  private(set) var failures: [CommandFailure] = []
  /// The seed under which the running file runs, if it was given.
  private(set) var seed: UInt64?
  /// The run of a script with several that is under way, and the sections of those that ended.
  private(set) var variant: (name: String?, earlier: [SectionOutcome]) = (nil, [])
  /// Whether a message was received from it.
  private(set) var hasSentMessages = false
  /// The command that exceeded its time limit, if the pool ended the worker for it.
  var timeout: StatusPage.Running?
  private var input: [UInt8] = []
  private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)

  init(_ process: WorkerProcess) { self.process = process }

  /// - Returns: false if it has ended; the pool then reads the end of its output.
  func send(_ jobs: [(number: Int, job: TestJob)]) -> Bool {
    outstanding += jobs.map(\.number)
    return process.send(jobs.flatMap { $0.job.message($0.number) })
  }

  /// Reads the next messages.
  /// - Parameter ended: called for every file that ended.
  /// - Returns: false at the end of its output.
  func readMessages(_ ended: (Int, FileOutcome) -> Void) -> Bool {
    let count = read(process.results, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
    input += buffer.prefix(count)
    handleMessages(ended)
    return true
  }

  /// Reads the messages that a dead worker did not send.
  func readPending(_ ended: (Int, FileOutcome) -> Void) {
    let pending = process.page.pending
    if pending.isEmpty { return }
    // An incomplete message that was received is dropped.
    input = pending
    handleMessages(ended)
  }

  /// Handles the complete lines of the input.
  private func handleMessages(_ ended: (Int, FileOutcome) -> Void) {
    hasSentMessages = true
    var start = 0
    while let end = input[start...].firstIndex(of: UInt8(ascii: "\n")) {
      handle(input[start..<end], ended)
      start = end + 1
    }
    input.removeFirst(start)
  }

  private func handle(_ line: ArraySlice<UInt8>, _ ended: (Int, FileOutcome) -> Void) {
    guard let (job, message) = WorkerMessage.read(line) else { return }
    switch message {
    case .failure(let failure): failures.append(failure)
    case .section(let section):
      sections.append(section)
      failures = []
    case .seedBegan(let seed):
      forgetResults()
      self.seed = seed
    case .variantBegan(let name): variant.name = name
    case .variantEnded(let outcome):
      variant.earlier += outcome.sections
      sections = []
      failures = []
    case .file(let outcome):
      // A message that was sent just before the worker died may also be pending.
      guard outstanding.contains(job) else { return }
      forgetResults()
      outstanding.removeAll { $0 == job }
      ended(job, outcome)
    }
  }

  private func forgetResults() {
    sections = []
    failures = []
    variant = (nil, [])
    seed = nil
  }

  /// The job and the line that ran when the worker ended.
  var lastRun: (job: Int, line: Int)? {
    guard let last = process.page.last, outstanding.contains(last.job) else { return nil }
    return last
  }
}
