import DataSources
import DataTables

/// Writes down the contents that a watched source gets.
final class ChangeWatcher: DataSourceDelegate {
  private(set) weak var source: (any DataSource)?
  /// Contents that followed each other and were not told yet.
  private var pending: [(old: Snapshot, new: Snapshot)] = []

  init(_ source: any DataSource) { self.source = source }

  func dataSource(_ source: any DataSource, did event: SourceEvent) {
    guard case .finished = event, let old = source.state.previous, let new = source.state.snapshot
    else { return }
    pending.append((old, new))
  }

  /// What came since the last time, oldest first.
  func take() -> [(old: Snapshot, new: Snapshot)] {
    defer { pending = [] }
    return pending
  }
}
