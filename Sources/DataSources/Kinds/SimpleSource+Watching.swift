package import DataTables

extension SimpleSource: WatchableSource {
  package var observability: Observability {
    guard let files else { return .constant }
    return files.isRepeatable ? .observable : .readOnce
  }

  package func makeMonitor(
    every interval: Duration?, clock: AdjustableClock, cancellation: Cancellation
  ) throws(SourceError) -> (any ChangeMonitor)? {
    guard let files, files.isRepeatable else { return nil }
    return try files.makeMonitor(every: interval, clock: clock, cancellation: cancellation)
  }

  package func hasChanged(cancellation: Cancellation) async -> Bool {
    let hasFailed = error.map { !$0.isCancelled } ?? false
    return await files?.hasChanged(hasFailed: hasFailed, cancellation: cancellation) ?? false
  }
}
