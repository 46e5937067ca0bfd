package import DataTables

// Loaded files that other programs change.
extension SimpleSource: WatchableSource {
  private static let maxMissingChecks = 20

  package var observability: Observability {
    guard let loader else { return .constant }
    return loader.isRepeatable ? .observable : .readOnce
  }

  package func makeMonitor(
    every interval: Duration?, clock: AdjustableClock
  ) throws(SourceError) -> (any ChangeMonitor)? {
    guard let loader, loader.isRepeatable else { return nil }
    guard let interval else { return try FileMonitor { loader.observedPaths } }
    let state = FileState.all(of: loader.observedPaths)
    return PollingMonitor(every: interval, clock: clock, state: state) {
      FileState.all(of: loader.observedPaths)
    }
  }

  package func hasChanged(cancellation: Cancellation) async -> Bool {
    guard let loader else { return false }
    var state = FileState.all(of: loader.observedPaths)
    // A program that replaces a file may first delete it.
    for _ in 0..<Self.maxMissingChecks {
      guard state.allSatisfy(\.isMissing), !cancellation.isCancelled else { break }
      try? await Task.sleep(for: .milliseconds(10))
      state = FileState.all(of: loader.observedPaths)
    }
    let isNewState = state != checkedState
    checkedState = state
    // A file that could not be read is read again when it changes, even if its old content returns.
    if let error, !error.isCancelled { return isNewState }
    do {
      return try await loader.hasChanged(since: files, cancellation: cancellation)
    } catch {
      // The fetch fails with this error and reports it.
      return true
    }
  }
}
