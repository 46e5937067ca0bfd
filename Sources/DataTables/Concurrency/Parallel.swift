internal import Dispatch
internal import Glibc
import Synchronization

/// Runs pieces of work on all processors, up to eight.
package enum Parallel {
  /// The number of workers: one per processor, at most eight.
  package static let workers = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Calls `body` for every piece in `0..<pieces`. A worker that has finished a piece takes the
  /// next one; the calling thread works too.
  /// - Parameter body: receives the piece and the worker, a number in `0..<workers`.
  /// - Throws: the error of the lowest piece that threw. Pieces after it may not have run.
  package static func forEach<Failure: Error>(
    _ pieces: Int, workers: Int = Parallel.workers,
    _ body: @Sendable (_ piece: Int, _ worker: Int) throws(Failure) -> Void
  ) throws(Failure) {
    guard pieces > 1, workers > 1 else {
      for piece in 0..<pieces { try body(piece, 0) }
      return
    }
    let next = Atomic<Int>(0)
    let failure = Mutex<(piece: Int, error: Failure)?>(nil)
    DispatchQueue.concurrentPerform(iterations: min(workers, pieces)) { worker in
      while true {
        let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard piece < pieces else { return }
        do throws(Failure) {
          try body(piece, worker)
        } catch {
          next.store(pieces, ordering: .relaxed)
          failure.withLock { if $0.map({ piece < $0.piece }) ?? true { $0 = (piece, error) } }
          return
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure.error }
  }

  /// More parts gain little, because memory is the bottleneck.
  private static let maxParts = min(4, workers)
  /// One thread finishes fewer positions than this before another thread has started.
  private static let minPartSize = 50_000

  /// The number of parts into which `total` positions are worth splitting; at least one.
  static func parts(of total: Int) -> Int { max(1, min(maxParts, total / minPartSize)) }

  /// Calls `body` for every part of `0..<total` and waits for all. Two parts must not write to the
  /// same memory.
  @inline(__always)
  static func forEachPart(
    of total: Int, _ body: (_ part: Int, _ positions: Range<Int>) -> Void
  ) {
    let parts = parts(of: total)
    guard parts > 1 else { return body(0, 0..<total) }
    withoutActuallyEscaping(body) { body in
      // Safe: the parts do not share positions, and all are finished when this returns.
      nonisolated(unsafe) let body = body
      forEach(parts) { part, _ in body(part, total * part / parts..<total * (part + 1) / parts) }
    }
  }
}

/// One slot per worker or piece of work, each written by one thread.
///
/// Unchecked `Sendable` is safe: each index is used by one thread at a time, and read by others
/// only after the work is joined.
package final class WorkerSlots<Value>: @unchecked Sendable {
  private let slots: UnsafeMutableBufferPointer<Value?>

  package init(_ count: Int) {
    slots = .allocate(capacity: count)
    slots.initialize(repeating: nil)
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  package subscript(index: Int) -> Value? {
    get { slots[index] }
    set { slots[index] = newValue }
  }

  /// The value at `index`, created on first access.
  func value(_ index: Int, make: () throws -> Value) rethrows -> Value {
    if let value = slots[index] { return value }
    let value = try make()
    slots[index] = value
    return value
  }
}
