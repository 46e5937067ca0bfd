package import DataSources
package import DataTables

extension TableSource: WatchableSource {
  package var observability: Observability { .observable }

  package func makeMonitor(
    every interval: Duration?, clock: AdjustableClock, cancellation: Cancellation
  ) throws(SourceError) -> (any ChangeMonitor)? {
    let (connection, name) = (database.connection, table.schema.name)
    if interval == nil, let files = connection.files {
      return TableFileMonitor(
        of: self,
        try FileMonitor(cancellation: cancellation) { _ in ObservedPaths(files: files) })
    }
    return TableMonitor(name, over: connection, every: interval, clock: clock)
  }

  package func hasChanged(cancellation: Cancellation) async -> Bool {
    if error != nil { return true }
    do {
      if try await table.snapshot.isCurrent(cancellation: cancellation) { return false }
      return try await !hasSameRows(cancellation)
    } catch {
      // The fetch fails with this error and reports it.
      return true
    }
  }

  /// Determines what ``hasSameRows(_:)`` compares, for a table that is read in a few milliseconds.
  /// Larger ones are read for their changes.
  func prepareForComparison(_ cancellation: Cancellation) async {
    guard numberOfObjects < RequestContext().minTracked else { return }
    _ = try? await table.digest(cancellation)
  }

  /// Whether only other tables of the file have changed. The content then belongs to the present
  /// state too.
  private func hasSameRows(_ cancellation: Cancellation) async throws -> Bool {
    guard database.connection.files != nil, let digest = table.knownDigest else { return false }
    let present = try await present(cancellation)
    compared = present
    guard present.schema.isSame(as: table.schema) else { return false }
    let now = try await present.digest(cancellation)
    guard now == digest, table.snapshot.goOn(with: present.snapshot) else { return false }
    compared = nil
    return true
  }
}

extension TableSchema {
  fileprivate func isSame(as other: TableSchema) -> Bool {
    columns == other.columns && isView == other.isView && primaryKey == other.primaryKey
      && rowIdentity.map(\.shown) == other.rowIdentity.map(\.shown)
  }
}

/// Observes a table through the file of its database, in which other tables change too.
private final class TableFileMonitor: ChangeMonitor {
  private weak var source: TableSource?
  private let file: FileMonitor

  init(of source: TableSource, _ file: FileMonitor) {
    self.source = source
    self.file = file
  }

  var descriptor: Int32? { file.descriptor }
  var interval: Duration? { file.interval }

  func begin(cancellation: Cancellation) async {
    await source?.prepareForComparison(cancellation)
  }

  func takeChange(cancellation: Cancellation) async throws -> Bool {
    try file.takeChange(cancellation: cancellation)
  }
}
