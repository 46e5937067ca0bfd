import DataTables
import Glibc
import Synchronization

/// A thread of a worker that watches the time, and whether the pool is still there.
enum WorkerWatchdog {
  private struct Watched: Sendable {
    let page: StatusPage
    let cancellation: Cancellation
  }

  private static let watched = Mutex<Watched?>(nil)
  /// In milliseconds.
  private static let period: Int32 = 20

  /// Cancels commands that have no more time, and ends the process when nobody writes jobs any more,
  /// even while a command hangs. Files that have no more time are for the pool to end.
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
      guard let running = watched.page.running, !running.isFileEnd,
        running.end < MonotonicTime.now
      else { continue }
      watched.cancellation.cancel()
      // The one that ended meanwhile should not cost the next its life.
      if watched.page.running?.begun != running.begun { watched.cancellation.reset() }
    }
  }
}
