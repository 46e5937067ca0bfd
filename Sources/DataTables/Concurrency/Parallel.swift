internal import Dispatch
internal import Glibc
import Synchronization

/// Runs pieces of work on all processors.
enum Parallel {
  /// The number of workers worth having.
  static let workers = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Calls `body` for every piece in `0..<pieces`, each worker taking the next piece when it is done
  /// with one. The calling thread works too.
  /// - Parameter body: gets the piece, and the worker, a number in `0..<workers`.
  /// - Throws: the error of the first piece, in their order, that threw; pieces behind it may not
  ///   have run.
  static func forEach<Failure: Error>(
    _ pieces: Int, workers: Int = workers,
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
}

// MARK: - Positions

extension Parallel {
  /// More parts than this gain little where memory is what the work waits for.
  private static let mostParts = min(4, workers)
  /// Fewer positions are done before another thread has started.
  private static let smallestPart = 50_000

  /// Into how many parts so many positions are worth being cut; at least one.
  static func parts(of total: Int) -> Int { max(1, min(mostParts, total / smallestPart)) }

  /// Calls `body` for every part of `0..<total` and waits for all. What is written for a position
  /// must be its own.
  @inline(__always)
  static func forEachPart(
    of total: Int, _ body: (_ part: Int, _ positions: Range<Int>) -> Void
  ) {
    let parts = parts(of: total)
    guard parts > 1 else { return body(0, 0..<total) }
    withoutActuallyEscaping(body) { body in
      // Safe, as every part touches positions of its own, and all are done when this returns.
      nonisolated(unsafe) let body = body
      forEach(parts) { part, _ in body(part, total * part / parts..<total * (part + 1) / parts) }
    }
  }
}
