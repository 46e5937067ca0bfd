import DataSources
import DataTables

extension Session {
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

  /// The changes of watched sources that were not told yet, a line each.
  /// - Throws: ``SourceError``, as when a key that objects are known by is in none of them.
  mutating func takeWatchedChanges() async throws -> Output.Content {
    watchers.removeAll { $0.source == nil }
    var lines: [String] = []
    var records: [Value] = []
    for watcher in watchers {
      guard let source = watcher.source else { continue }
      let name = displayName(of: source)
      for (old, new) in watcher.take() {
        let changes = try await old.changes(to: new, id: source.id, cancellation: cancellation)
        let told = try await ChangeLines(
          Array(changes.prefix(Self.mostToldChanges)), from: old, to: new)
        lines += told.lines.map { "\(name)  \($0)" }
        if changes.count > told.lines.count {
          lines.append("\(name)  … \((changes.count - told.lines.count).grouped) more")
        }
        records += changes.map { $0.record(of: name) }
      }
    }
    return lines.isEmpty ? .none : .text(lines, data: .array(records))
  }

  /// Of one content; `diff` shows all of them.
  private static let mostToldChanges = 1_000
}
