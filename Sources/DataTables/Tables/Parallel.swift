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
  static func forEach(
    _ pieces: Int, workers: Int = workers,
    _ body: @Sendable (_ piece: Int, _ worker: Int) throws -> Void
  ) throws {
    guard pieces > 1, workers > 1 else {
      for piece in 0..<pieces { try body(piece, 0) }
      return
    }
    let next = Atomic<Int>(0)
    let failure = Mutex<(piece: Int, error: any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: min(workers, pieces)) { worker in
      while true {
        let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard piece < pieces else { return }
        do {
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
