import DataSources
import DataTables

/// Collects the successive contents of a watched source.
final class ChangeWatcher: DataSourceDelegate {
  private(set) weak var source: (any DataSource)?
  /// Pairs of consecutive contents whose changes were not reported.
  private var pending: [(old: Snapshot, new: Snapshot)] = []

  init(_ source: any DataSource) { self.source = source }

  func dataSource(_ source: any DataSource, did event: SourceEvent) {
    guard case .finished = event, let old = source.state.previous, let new = source.state.snapshot
    else { return }
    pending.append((old, new))
  }

  /// Returns the pairs of contents that were added since the last call, oldest first.
  fileprivate func takePending() -> [(old: Snapshot, new: Snapshot)] {
    defer { pending = [] }
    return pending
  }
}

extension Session {
  /// The maximum number of changes that are shown for one new content; `diff` shows all of them.
  private static let maxShownChanges = 1_000

  mutating func watch(_ source: any DataSource) {
    guard !watchers.contains(where: { $0.source === source }) else { return }
    let watcher = ChangeWatcher(source)
    source.state.add(listener: watcher)
    source.state.isWatched = true
    watchers.append(watcher)
  }

  mutating func unwatch(_ source: any DataSource) {
    for watcher in watchers where watcher.source === source {
      source.state.remove(listener: watcher)
      source.state.isWatched = false
    }
    watchers.removeAll { $0.source == nil || $0.source === source }
  }

  /// Returns the changes of watched sources that were not reported, a line for each.
  /// - Throws: ``SourceError``, for example when no object has the key that identifies objects.
  mutating func takeWatchedChanges() async throws -> Output.Content {
    watchers.removeAll { $0.source == nil }
    var lines: [String] = []
    var records: [Value] = []
    for watcher in watchers {
      guard let source = watcher.source else { continue }
      let name = displayName(of: source)
      for (old, new) in watcher.takePending() {
        let changes = try await old.changes(to: new, id: source.id, cancellation: cancellation)
        let shown = try await ChangeLines(
          Array(changes.prefix(Self.maxShownChanges)), from: old, to: new)
        lines += shown.lines.map { "\(name)  \($0)" }
        if changes.count > shown.lines.count {
          lines.append("\(name)  … \((changes.count - shown.lines.count).grouped) more")
        }
        records += changes.map { $0.record(of: name) }
      }
    }
    return lines.isEmpty ? .none : .text(lines, data: .array(records))
  }
}
