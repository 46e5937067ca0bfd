package import DataSources
package import DataTables

extension TableSource: WatchableSource {
  /// The time between two questions to a server, which reports no changes.
  private static let interval = Duration.seconds(2)

  package var observability: Observability { .observable }

  package func makeMonitor(
    every interval: Duration?, clock: AdjustableClock, cancellation: Cancellation
  ) throws(SourceError) -> (any ChangeMonitor)? {
    let (connection, name) = (database.connection, table.schema.name)
    if interval == nil, let files = connection.files {
      return try FileMonitor(cancellation: cancellation) { _ in ObservedPaths(files: files) }
    }
    return PollingMonitor(every: interval ?? Self.interval, clock: clock, state: "") {
      // A server that cannot be reached is a change, which the next fetch reports.
      do {
        return try await connection.changeMark(of: [name], cancellation: $0) ?? ""
      } catch {
        try $0.check()
        return "\(error)"
      }
    }
  }

  package func hasChanged(cancellation: Cancellation) async -> Bool {
    if error != nil { return true }
    do {
      return try await !table.snapshot.isCurrent(cancellation: cancellation)
    } catch {
      // The fetch fails with this error and reports it.
      return true
    }
  }
}
