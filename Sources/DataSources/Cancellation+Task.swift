import DataTables

extension Cancellation {
  /// Runs `body`; the end of the task raises the flag meanwhile.
  func followingTask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await withTaskCancellationHandler {
      // Named, the isolation is that of the closure; else it would run outside of any.
      _ = isolation
      return try await body()
    } onCancel: {
      cancel()
    }
  }
}
