package import DataTables

// Loaded files that other programs change.
extension SimpleSource: WatchableSource {
  private static let maxMissingChecks = 20

  package var observability: Observability {
    guard let loader else { return .constant }
    return loader.isRepeatable ? .observable : .readOnce
  }

  package func makeMonitor(
    every interval: Duration?, clock: AdjustableClock, cancellation: Cancellation
  ) throws(SourceError) -> (any ChangeMonitor)? {
    guard let loader, loader.isRepeatable else { return nil }
    guard let interval else {
      return try FileMonitor(cancellation: cancellation, loader.observedPaths)
    }
    do throws(TableError) {
      let state = try FileState.all(of: loader.observedPaths(cancellation: cancellation))
      return PollingMonitor(every: interval, clock: clock, state: state) {
        try FileState.all(of: loader.observedPaths(cancellation: $0))
      }
    } catch {
      throw SourceError(error)
    }
  }

  package func hasChanged(cancellation: Cancellation) async -> Bool {
    guard let loader else { return false }
    do {
      let state = try await settledState(of: loader, cancellation: cancellation)
      let isNewState = state != checkedState
      checkedState = state
      // A file that could not be read is read again when it changes, even if its old content
      // returns.
      if let error, !error.isCancelled { return isNewState }
      return try await loader.hasChanged(since: files, cancellation: cancellation)
    } catch {
      // The fetch fails with this error and reports it.
      return true
    }
  }

  /// The state of the files. A program that replaces a file may first delete it: waits briefly for
  /// the new one.
  private func settledState(
    of loader: any TableLoader, cancellation: Cancellation
  ) async throws -> [FileState] {
    var checks = 0
    while true {
      try cancellation.check()
      let state = try FileState.all(of: loader.observedPaths(cancellation: cancellation))
      guard checks < Self.maxMissingChecks, state.allSatisfy(\.isMissing) else { return state }
      checks += 1
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
