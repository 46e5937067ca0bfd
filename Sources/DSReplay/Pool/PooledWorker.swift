import Glibc

/// A worker with what it was given to do and what it told so far.
final class PooledWorker {
  let process: WorkerProcess
  /// Numbers of jobs that were sent and did not end, in the order in which they run.
  private(set) var outstanding: [Int] = []
  /// What was told of the file that runs, for when the worker does not come to its end.
  private(set) var sections: [SectionOutcome] = []
  private(set) var failures: [CommandFailure] = []
  /// Whether it ran anything, or was about to.
  private(set) var hasBegun = false
  /// Why the pool ended it.
  var timeout: StatusPage.Running?
  private var input: [UInt8] = []
  /// For one read.
  private var room: [UInt8] = Array(repeating: 0, count: 1 << 16)

  init(_ process: WorkerProcess) { self.process = process }

  /// - Returns: false when it is gone; its end will be read.
  func send(_ jobs: [(number: Int, job: TestJob)]) -> Bool {
    outstanding += jobs.map(\.number)
    return process.send(jobs.flatMap { $0.job.message($0.number) })
  }

  /// Reads what it told.
  /// - Parameter ended: called for every file that ended.
  /// - Returns: false at its end.
  func readMessages(_ ended: (Int, FileOutcome) -> Void) -> Bool {
    let count = read(process.results, &room, room.count)
    guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
    input += room.prefix(count)
    take(ended)
    return true
  }

  /// Takes what it had to tell and did not send, when it is gone.
  func readPending(_ ended: (Int, FileOutcome) -> Void) {
    let pending = process.page.pending
    if pending.isEmpty { return }
    // A line of which the end is missing is of no use.
    input = pending
    take(ended)
  }

  /// Takes the lines that came.
  private func take(_ ended: (Int, FileOutcome) -> Void) {
    hasBegun = true
    var start = 0
    while let end = input[start...].firstIndex(of: UInt8(ascii: "\n")) {
      take(input[start..<end], ended)
      start = end + 1
    }
    input.removeFirst(start)
  }

  private func take(_ line: ArraySlice<UInt8>, _ ended: (Int, FileOutcome) -> Void) {
    guard let (job, message) = WorkerMessage.read(line) else { return }
    switch message {
    case .failure(let failure): failures.append(failure)
    case .section(let section):
      sections.append(section)
      failures = []
    case .file(let outcome):
      // What was sent when the worker died may be posted as well.
      guard outstanding.contains(job) else { return }
      sections = []
      failures = []
      outstanding.removeAll { $0 == job }
      ended(job, outcome)
    }
  }

  /// The job that it was at when it ended, and the line.
  var lastRun: (job: Int, line: Int)? {
    guard let last = process.page.last, outstanding.contains(last.job) else { return nil }
    return last
  }
}
