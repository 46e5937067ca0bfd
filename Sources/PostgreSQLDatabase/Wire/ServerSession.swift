import DataSources
import DataTables
import Databases
import Dispatch

/// A session on the server. The work that waits for the server runs on a queue of its own, so that
/// it blocks neither the caller nor the threads of Swift's tasks.
///
/// Its owner uses it for one statement at a time.
final class ServerSession: @unchecked Sendable {
  // Used only on the queue.
  private let wire: Wire
  private let queue: DispatchQueue

  private init(_ wire: Wire, queue: DispatchQueue) {
    self.wire = wire
    self.queue = queue
  }

  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  static func open(
    _ parameters: ConnectionParameters, _ cancellation: Cancellation
  ) async throws -> ServerSession {
    let queue = DispatchQueue(label: "dsshell.postgresql")
    return try await queue.run(cancellation) { cancellation in
      ServerSession(try Wire.connect(parameters, cancellation), queue: queue)
    }
  }

  /// Runs work that uses the connection. Canceling the task raises the flag that `work` receives.
  func run<Result: Sendable>(
    _ cancellation: Cancellation, _ work: @escaping @Sendable (Wire, Cancellation) throws -> Result
  ) async throws -> Result {
    try await DeterministicExecutor.outside {
      try await queue.run(cancellation) { [self] cancellation in try work(wire, cancellation) }
    }
  }

  /// Runs work that must not be skipped, even if the task is canceled.
  func complete<Result: Sendable>(
    _ work: @escaping @Sendable (Wire) -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: work(wire)) }
    }
  }

  /// Runs work without waiting for it.
  func start(_ work: @escaping @Sendable (Wire) -> Void) {
    queue.async { [self] in work(wire) }
  }
}

extension DispatchQueue {
  fileprivate func run<Result: Sendable>(
    _ cancellation: Cancellation, _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    let flag = Cancellation(parent: cancellation)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        async {
          continuation.resume(
            with: Swift.Result {
              try flag.check()
              return try work(flag)
            })
        }
      }
    } onCancel: {
      flag.cancel()
    }
  }
}
