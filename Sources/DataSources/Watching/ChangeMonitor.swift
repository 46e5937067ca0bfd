package import DataTables

/// Reports that other programs may have changed the content of a source: a file, a folder or a
/// table of a database.
///
/// A monitor has no task or thread: its owner asks it when ``descriptor`` is readable, or every
/// ``interval``. Releasing a monitor closes its descriptors.
package protocol ChangeMonitor: AnyObject {
  /// Readable when a change may have happened; nil if the monitor must be asked at intervals.
  var descriptor: Int32? { get }
  /// The time between two questions; nil if ``descriptor`` reports all changes.
  var interval: Duration? { get }
  /// When ``takeChange(cancellation:)`` looks for changes next; nil if ``descriptor`` reports all
  /// changes.
  var nextCheck: AdjustableClock.Instant? { get }
  /// Whether a change can be taken as soon as it was made, or at ``nextCheck``. The reports of a
  /// server arrive later.
  var reportsAtOnce: Bool { get }
  /// How changes are noticed now.
  var method: ObservationMethod { get }
  /// Begins what must wait for something, such as a connection. Otherwise, the first question does.
  func begin(cancellation: Cancellation) async
  /// Whether a change may have happened since the last call or the creation of the monitor. Does
  /// not wait for a change.
  /// - Throws: ``SourceError`` if some changes can no longer be observed, or when it is canceled. The
  ///   next call reports the change.
  func takeChange(cancellation: Cancellation) async throws -> Bool
}

extension ChangeMonitor {
  package var method: ObservationMethod {
    descriptor == nil ? .polled(reportedAfter: []) : .reported
  }
  package var nextCheck: AdjustableClock.Instant? { nil }
  package var reportsAtOnce: Bool { true }
  package func begin(cancellation: Cancellation) async {}
}

/// How a monitor notices changes.
package enum ObservationMethod: Sendable {
  case reported
  /// By comparing at intervals. If there are statements, changes are reported after they have run.
  case polled(reportedAfter: [String])
}

/// Whether other programs can change the content of a source.
package enum Observability {
  case observable
  /// Content that is read once, such as that of a pipe.
  case readOnce
  /// An array of objects.
  case constant
}

/// A source whose content other programs can change.
package protocol WatchableSource: DataSource {
  var observability: Observability { get }

  /// Begins to observe changes; nil if the source is not observable.
  ///
  /// - Parameters:
  ///   - interval: the time between two checks; nil to be notified by the system.
  ///   - clock: measures the interval.
  /// - Throws: ``SourceError``: `limit` when the system cannot observe more files, `cancelled`.
  func makeMonitor(
    every interval: Duration?, clock: AdjustableClock, cancellation: Cancellation
  ) throws(SourceError) -> (any ChangeMonitor)?

  /// Whether a fetch would read other content, or would fail for a new reason.
  func hasChanged(cancellation: Cancellation) async -> Bool
}

extension WatchableSource {
  /// Reads changed content. This source, then its wrappers as after an edit, report `will`,
  /// `changes` and `finished`, or `will` and `failed`.
  package func refresh(
    _ options: FetchOptions = FetchOptions(), cancellation: Cancellation,
    progress: Progress = Progress(), listener: ((TranscriptEntry) -> Void)? = nil
  ) async {
    while isFetching { await waitForFetch(cancellation) }
    var options = options
    options.isRefresh = true
    let flag = Cancellation(parent: cancellation)
    let round = FetchRound(
      from: self, options, isEdit: true, progress: progress, listener: listener)
    await flag.followingTask {
      _ = await round.fetch(self, cancellation: flag)
      await round.updateWrappers(cancellation: flag)
    }
  }
}
