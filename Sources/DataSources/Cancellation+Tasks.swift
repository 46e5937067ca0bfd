import DataTables

extension Cancellation {
  /// Runs `body` in a task that is canceled when the flag is raised.
  ///
  /// Raising the flag does not end the wait: `body` must respond to the cancellation of its task.
  package func canceling<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let executor = DeterministicExecutor.current
    let work = Task(executorPreference: executor) {
      try await Self.$current.withValue(self) { try await body() }
    }
    let watch = Task(executorPreference: executor) {
      await AdjustableClock.current.wait(endsWithTask: true) { self.isCancelled }
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

  /// Runs `body`; canceling the current task while `body` runs raises the flag.
  func followingTask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await withTaskCancellationHandler {
      // Capture the isolation, so that the closure runs in it rather than outside.
      _ = isolation
      return try await body()
    } onCancel: {
      cancel()
    }
  }
}
