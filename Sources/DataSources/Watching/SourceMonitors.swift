package import DataTables

/// The monitors of the watched sources of a session. Confined to the isolation of the sources.
package final class SourceMonitors {
  private struct Entry {
    weak var source: (any WatchableSource)?
    let interval: Duration?
    let monitor: any ChangeMonitor
    /// Whether a reported change was not read yet.
    var isPending = false
  }
  private var entries: [Entry] = []
  private var clock = AdjustableClock()

  /// Changes that follow one another faster than this are read together.
  private static let quietTime = Duration.milliseconds(8)
  /// The longest time for which a change waits for others.
  private static let maxQuietTimes = 4

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// Descriptors that are readable when a change may have happened.
  package var descriptors: [Int32] { entries.compactMap(\.monitor.descriptor) }

  /// The shortest interval at which the monitors must be asked; nil if descriptors report all
  /// changes.
  package var interval: Duration? { entries.compactMap(\.monitor.interval).min() }

  /// When the monitors of some sources look for changes next, in ascending order.
  package func nextChecks(
    where isIncluded: (any DataSource) -> Bool = { _ in true }
  ) -> [AdjustableClock.Instant] {
    entries.filter { $0.source.map(isIncluded) ?? false }.compactMap(\.monitor.nextCheck).sorted()
  }

  /// Whether a wait for changes of some sources needs no real time: on a virtual clock, only the
  /// commands of the session change files, and no report is on its way.
  package func areVirtual(where isIncluded: (any DataSource) -> Bool) -> Bool {
    clock.isVirtual
      && entries.allSatisfy { !($0.source.map(isIncluded) ?? false) || $0.monitor.reportsAtOnce }
  }

  /// Whether a source that satisfies a condition has a monitor.
  package func observes(_ isIncluded: (any DataSource) -> Bool) -> Bool {
    entries.contains { $0.source.map { isIncluded($0) } ?? false }
  }

  /// Whether other programs can change a source or a source below it, so that a monitor observes it.
  package static func canObserve(_ source: any DataSource) -> Bool {
    SourceGraph.sources(below: source).contains { observability(of: $0) == .observable }
  }

  /// The sources at and below a source whose origin may change while no monitor observes it:
  /// responses to requests, and pipes.
  package static func unobserved(below source: any DataSource) -> [any DataSource] {
    SourceGraph.sources(below: source).filter {
      $0 is any RequestingSource || observability(of: $0) == .readOnce
    }
  }

  private static func observability(of source: any DataSource) -> Observability? {
    (source as? any WatchableSource)?.observability
  }

  /// Observes the sources that can change at and below some sources, and no others.
  /// - Throws: ``SourceError`` if a source cannot be observed; the others then are.
  package func observe(
    _ watched: [(source: any DataSource, interval: Duration?)], clock: AdjustableClock,
    cancellation: Cancellation
  ) throws(SourceError) {
    self.clock = clock
    var wanted: [(source: any WatchableSource, interval: Duration?)] = []
    for (source, interval) in watched {
      for below in SourceGraph.sources(below: source) {
        guard let below = below as? any WatchableSource else { continue }
        if let index = wanted.firstIndex(where: { $0.source === below }) {
          // A notification is never later than a check.
          wanted[index].interval = wanted[index].interval.flatMap { other in
            interval.map { min(other, $0) }
          }
        } else {
          wanted.append((below, interval))
        }
      }
    }
    var kept: [Entry] = []
    var failure: SourceError?
    for (source, interval) in wanted {
      if let entry = entries.first(where: { $0.source === source && $0.interval == interval }) {
        kept.append(entry)
        continue
      }
      do throws(SourceError) {
        guard
          let monitor = try source.makeMonitor(
            every: interval, clock: clock, cancellation: cancellation)
        else { continue }
        // The source may have changed between its last fetch and now.
        kept.append(
          Entry(source: source, interval: interval, monitor: monitor, isPending: true))
      } catch {
        failure = failure ?? error
      }
    }
    entries = kept
    if let failure { throw failure }
  }

  /// Begins what monitors must wait for.
  package func begin(cancellation: Cancellation) async {
    for entry in entries { await entry.monitor.begin(cancellation: cancellation) }
  }

  /// How the changes of the observed sources at and below a source are noticed, with the time between
  /// two questions; nil if none are asked.
  package func methods(
    below source: any DataSource
  ) -> [(source: any DataSource, method: ObservationMethod, interval: Duration?)] {
    SourceGraph.sources(below: source).flatMap { source in
      entries.filter { $0.source === source }.map {
        (source, $0.monitor.method, $0.monitor.interval)
      }
    }
  }

  /// Notes that sources may have changed, before a monitor reports it.
  package func note(where isIncluded: (any DataSource) -> Bool) {
    for index in entries.indices where entries[index].source.map({ isIncluded($0) }) ?? false {
      entries[index].isPending = true
    }
  }

  /// Reads all changes so far of some sources.
  ///
  /// - Parameters:
  ///   - isIncluded: whether to read the changes of a source; the others remain pending.
  ///   - options: what the fetches of changed sources should do.
  ///   - listener: receives the events of all sources that change.
  /// - Returns: the sources that were read again, or whose reading failed.
  /// - Throws: ``SourceError`` when a monitor fails.
  package func readChanges(
    where isIncluded: (any DataSource) -> Bool = { _ in true },
    _ options: FetchOptions = FetchOptions(), cancellation: Cancellation,
    progress: Progress = Progress(), listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws -> [any WatchableSource] {
    guard try await takeReports(where: isIncluded, cancellation) else { return [] }
    for _ in 0..<(areVirtual(where: isIncluded) ? 0 : Self.maxQuietTimes) {
      await DeterministicExecutor.outside { try? await Task.sleep(for: Self.quietTime) }
      guard try await takeReports(where: isIncluded, onlyNew: true, cancellation) else { break }
    }
    var changed: [any WatchableSource] = []
    for index in entries.indices where entries[index].isPending {
      guard let source = entries[index].source, isIncluded(source) else { continue }
      entries[index].isPending = false
      guard await source.hasChanged(cancellation: cancellation) else { continue }
      await source.refresh(
        options, cancellation: cancellation, progress: progress, listener: listener)
      if source.error?.isCancelled ?? false { entries[index].isPending = true }
      changed.append(source)
      // Entries are replaced only between commands, so the indices are still valid.
    }
    return changed
  }

  /// Asks the monitors.
  /// - Returns: whether a change is pending; with `onlyNew`, whether one was reported now.
  private func takeReports(
    where isIncluded: (any DataSource) -> Bool, onlyNew: Bool = false,
    _ cancellation: Cancellation
  ) async throws -> Bool {
    var isAny = false
    for index in entries.indices {
      guard let source = entries[index].source else { continue }
      let isReported = try await entries[index].monitor.takeChange(cancellation: cancellation)
      if isReported { entries[index].isPending = true }
      if isIncluded(source), isReported || !onlyNew && entries[index].isPending { isAny = true }
    }
    return isAny
  }
}
