import DataSources
import DataTables
import Databases

/// Collects the successive contents of a watched source.
final class ChangeWatcher: DataSourceDelegate {
  private(set) weak var source: (any DataSource)?
  /// The time between two checks for changes by other programs; nil to be notified.
  fileprivate(set) var interval: Duration?
  /// The form in which the changes are shown.
  fileprivate(set) var options: ChangeOptions
  /// Consecutive contents whose changes were not reported, and the objects that were requested to be
  /// shown again.
  fileprivate struct Replacement {
    let old: Snapshot
    let new: Snapshot
    let refreshes: [Change]
  }
  private var pending: [Replacement] = []

  init(_ source: any DataSource, checking interval: Duration?, _ options: ChangeOptions) {
    self.source = source
    self.interval = interval
    self.options = options
  }

  func dataSource(_ source: any DataSource, did event: SourceEvent) {
    guard case .finished = event, let old = source.state.previous, let new = source.state.snapshot
    else { return }
    pending.append(Replacement(old: old, new: new, refreshes: source.state.refreshes))
  }

  /// Returns the contents that were added since the last call, oldest first.
  fileprivate func takePending() -> [Replacement] {
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
  /// - Parameters:
  ///   - interval: the time between two checks; nil to be notified where that is possible.
  ///   - options: the form in which the changes are shown.
  /// - Throws: ``SourceError`` when changes cannot be observed; the source is then not watched.
  mutating func watch(
    _ source: any DataSource, checking interval: Duration?, _ options: ChangeOptions
  ) async throws(SourceError) {
    do {
      try await source.state.snapshot?.prepareForChanges(requestContext)
    } catch {
      throw SourceError(error)
    }
    if let watcher = watchers.first(where: { $0.source === source }) {
      watcher.interval = interval
      watcher.options = options
    } else {
      let watcher = ChangeWatcher(source, checking: interval, options)
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
    // A source that has changed since it was read is read now. Elsewhere, the prompt does this.
    if monitors.areVirtual(where: { _ in true }) { await readOutsideChangesLater() }
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
  mutating func observeRemaining() {
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
    // As tables, which are complete without a limit of rows.
    let limit = options.rows == nil ? Int.max : Self.maxShownChanges
    for watcher in watchers {
      guard let source = watcher.source else { continue }
      let name = displayName(of: source)
      for replacement in watcher.takePending() {
        let (old, new) = (replacement.old, replacement.new)
        do {
          let changes =
            try await old.changes(
              to: new, id: source.id, movesSections: watcher.options.movesSections, requestContext)
            + replacement.refreshes
          let shown =
            watcher.options.isStaged
            ? try await Self.lines(of: changes.batches(), from: old, to: new, limit: limit)
            : try await Self.lines(of: changes, from: old, to: new, limit: limit)
          lines += shown.map { "\(name)  \($0)" }
          records += Self.records(of: changes, watcher.options, name)
        } catch let error as SourceError where error.kind == .changed {
          // The old rows of a file that is rewritten in place, or of a large table, are gone.
          lines.append(
            "\(name)  rewritten: \(counted(old.numberOfObjects, "object")) before, "
              + "\(counted(new.numberOfObjects, "object")) now")
        } catch let error as SourceError where !error.isCancelled {
          // The changes of the other sources are shown.
          lines.append("\(name)  changed, but the changes cannot be shown: \(error.message)")
        }
      }
    }
    return lines.isEmpty ? .none : .text(lines, data: .array(records))
  }

  /// The first changes, and the number of the others.
  private static func lines(
    of changes: [Change], from old: Snapshot, to new: Snapshot, limit: Int
  ) async throws -> [String] {
    let shown = changes.prefix(limit)
    let lines = try await ChangeLines(shown, from: old, to: new).lines
    let others = changes.count - shown.count
    return others > 0 ? lines + ["… \(others.grouped) more"] : lines
  }

  private static func lines(
    of batches: [[StagedChange]], from old: Snapshot, to new: Snapshot, limit: Int
  ) async throws -> [String] {
    var lines: [String] = []
    var remaining = limit
    for (index, batch) in batches.enumerated() {
      let shown = batch.prefix(remaining)
      lines.append("batch \(index + 1) of \(batches.count)")
      lines += try await ChangeLines(shown, from: old, to: new).lines
      if batch.count > shown.count { lines.append("… \((batch.count - shown.count).grouped) more") }
      remaining -= shown.count
    }
    return lines
  }

  private static func records(
    of changes: [Change], _ options: ChangeOptions, _ source: String
  ) -> [Value] {
    if !options.isStaged { return changes.map { $0.record(of: source) } }
    return changes.batches().enumerated().flatMap { index, batch in
      batch.map { $0.change.record(inBatch: index + 1, of: source) }
    }
  }
}
