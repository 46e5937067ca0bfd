import Dispatch
import Glibc

/// A range of positions cut into parts that threads work on at the same time.
struct Parts {
  let count: Int
  private let total: Int

  /// More threads than this gain little: memory is what the work waits for.
  private static let threads = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// Fewer positions are done before another thread has started.
  private static let smallest = 50_000

  init(_ total: Int) {
    self.total = total
    count = max(1, min(Self.threads, total / Self.smallest))
  }

  /// Runs `body` for every part and waits for all.
  @inline(__always) func forEach(_ body: (_ part: Int, _ positions: Range<Int>) -> Void) {
    guard count > 1 else { return body(0, 0..<total) }
    withoutActuallyEscaping(body) { body in
      // Safe, as every part touches positions of its own, and all are done when this returns.
      nonisolated(unsafe) let body = body
      DispatchQueue.concurrentPerform(iterations: count) { part in
        body(part, total * part / count..<total * (part + 1) / count)
      }
    }
  }
}
