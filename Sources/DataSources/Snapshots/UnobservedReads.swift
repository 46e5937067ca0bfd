/// Reads by which a test checks contents. They leave no trace: their pages and statements are neither
/// kept nor counted, so that a script shows the same with and without checks.
package enum UnobservedReads {
  @TaskLocal package static var areRunning = false

  /// Runs `body`, whose reads leave no trace.
  package static func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $areRunning.withValue(true) {
      // Capture the isolation, so that the closure runs in it rather than outside.
      _ = isolation
      return try await body()
    }
  }
}
