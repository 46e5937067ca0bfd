import DataSources
import DataTables
import Databases

/// Collects the successive contents of a watched source.
final class ChangeWatcher: DataSourceDelegate {
  private(set) weak var source: (any DataSource)?
  /// The time between two checks for changes by other programs; nil to be notified.
  fileprivate(set) var interval: Duration?
  /// Pairs of consecutive contents whose changes were not reported.
  private var pending: [(old: Snapshot, new: Snapshot)] = []

  init(_ source: any DataSource, checking interval: Duration?) {
    self.source = source
    self.interval = interval
  }

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

  /// Shows the changes of a source from now on, also those that other programs make to the files
  /// and tables at and below it.
  ///
  /// - Parameter interval: the time between two checks; nil to be notified where that is possible.
  /// - Throws: ``SourceError`` when changes cannot be observed; the source is then not watched.
  mutating func watch(
    _ source: any DataSource, checking interval: Duration?
  ) async throws(SourceError) {
    do {
      try await source.state.snapshot?.prepareForChanges(requestContext)
    } catch {
      throw SourceError(error)
    }
    if let watcher = watchers.first(where: { $0.source === source }) {
      watcher.interval = interval
    } else {
      let watcher = ChangeWatcher(source, checking: interval)
      source.state.add(listener: watcher)
      source.state.isWatched = true
      watchers.append(watcher)
    }
    do {
      try observeWatched()
    } catch {
      unwatch(source)
      throw error
    }
    await monitors.begin(cancellation: cancellation)
  }

  mutating func unwatch(_ source: any DataSource) {
    for watcher in watchers where watcher.source === source {
      source.state.remove(listener: watcher)
      source.state.isWatched = false
    }
    watchers.removeAll { $0.source == nil || $0.source === source }
    observeRemaining()
  }

  /// Ends the watches of sources that show rows of a database.
  mutating func unwatch(tablesOf database: OpenDatabase) {
    for source in watchers.compactMap(\.source)
    where SourceGraph.sources(below: source).contains(where: {
      ($0 as? TableSource)?.database === database.database
    }) {
      unwatch(source)
    }
  }

  /// Observes the sources below the watched ones that are left. One of them may need a new monitor,
  /// with another interval; if it cannot be made, a warning says so.
  private mutating func observeRemaining() {
    do throws(SourceError) {
      try observeWatched()
    } catch {
      warn(error.message)
    }
  }

  /// Observes the sources below the watched ones, and no others.
  private func observeWatched() throws(SourceError) {
    try monitors.observe(
      watchers.compactMap { watcher in watcher.source.map { ($0, watcher.interval) } },
      clock: clock, cancellation: cancellation)
  }

  /// Returns the changes of watched sources that were not reported, a line for each.
  /// - Throws: ``SourceError`` when it is canceled.
  mutating func takeWatchedChanges() async throws -> Output.Content {
    let count = watchers.count
    watchers.removeAll { $0.source == nil }
    if watchers.count < count { observeRemaining() }
    var lines: [String] = []
    var records: [Value] = []
    for watcher in watchers {
      guard let source = watcher.source else { continue }
      let name = displayName(of: source)
      for (old, new) in watcher.takePending() {
        let changes: [Change]
        let shown: ChangeLines
        do {
          changes = try await old.changes(to: new, id: source.id, requestContext)
          shown = try await ChangeLines(
            Array(changes.prefix(Self.maxShownChanges)), from: old, to: new)
        } catch let error as SourceError where error.kind == .changed {
          // The old rows of a file that is rewritten in place, or of a large table, are gone.
          lines.append(
            "\(name)  rewritten: \(counted(old.numberOfObjects, "object")) before, "
              + "\(counted(new.numberOfObjects, "object")) now")
          continue
        } catch let error as SourceError where !error.isCancelled {
          // The changes of the other sources are shown.
          lines.append("\(name)  changed, but the changes cannot be shown: \(error.message)")
          continue
        }
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
