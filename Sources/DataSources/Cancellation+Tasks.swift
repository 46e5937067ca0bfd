import DataTables

extension Cancellation {
  /// Runs `body` as a task that is cancelled when the flag is raised; it is looked at every 20 ms,
  /// since a signal handler can raise it and do no more.
  ///
  /// The flag that is raised does not end the wait by itself: `body` does, by heeding the end of
  /// its task.
  package func canceling<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let work = Task { try await body() }
    let watch = Task {
      while !isCancelled { try await Task.sleep(for: .milliseconds(20)) }
      work.cancel()
    }
    defer { watch.cancel() }
    return try await withTaskCancellationHandler {
      _ = isolation
      return try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
