import Dispatch

/// Threads for the servers of tests. Tests that wait for processes block the threads of the usual
/// executor, on which a server would answer only when they have ended.
final class ServerExecutor: TaskExecutor {
  static let shared = ServerExecutor()
  private let queue = DispatchQueue(label: "dsshell.test-server", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
