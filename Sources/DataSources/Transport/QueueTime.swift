import Synchronization

/// How long requests waited until their transport could begin, which is not the server's time.
///
/// A transport that has requests wait adds to ``current``; who holds several of them to one limit
/// takes it off.
package final class QueueTime: Sendable {
  @TaskLocal package static var current: QueueTime?

  private let outer = QueueTime.current
  private let sum = Mutex(Duration.zero)

  /// One that is part of the current one.
  init() {}

  package func add(_ time: Duration) {
    sum.withLock { $0 += time }
    outer?.add(time)
  }

  var total: Duration { sum.withLock { $0 } }
}
