package import DataTables

// Loaded files that other programs change.
extension SimpleSource: WatchableSource {
  private static let maxMissingChecks = 20

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

  package func follow(_ isFollowed: Bool) { self.isFollowed = isFollowed }

  package func hasChanged(cancellation: Cancellation) async -> Bool {
    guard let loader else { return false }
    var state = FileState.all(of: loader.observedPaths)
    // A program that replaces a file may first delete it.
    for _ in 0..<Self.maxMissingChecks {
      guard state.allSatisfy(\.isMissing), !cancellation.isCancelled else { break }
      try? await Task.sleep(for: .milliseconds(10))
      state = FileState.all(of: loader.observedPaths)
    }
    // Files that could not be read are not read again before they change.
    if let error, !error.isCancelled, state == checkedState { return false }
    checkedState = state
    do {
      guard let single = loader as? FileLoader, let last = files.first?.file else {
        return try !loader.isUnchanged(since: files, cancellation: cancellation)
      }
      return try await single.hasChanged(since: last, cancellation: cancellation)
    } catch {
      // The fetch fails with this error and reports it.
      return true
    }
  }
}
