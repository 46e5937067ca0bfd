public import DataTables

/// The objects of another source, which arrive late on request: for lessons, and for tests of the
/// sources above.
///
/// Each fetch waits for the ``delay`` before it fetches the source below, and a fetch of all pages once
/// for each page; it reports a `partial` when it begins to wait. Edits below are shown immediately, as
/// are fetches of the source below that began there.
public final class SlowSource: PassingSource, PagedSource {
  public static let kind = "slow"
  public static let fetchesSynchronously = false
  public let state: SourceState
  public private(set) var source: any DataSource
  private var attempts: AttemptLog

  /// The default of ``delay``.
  public static let defaultDelay = Duration.seconds(1)

  public init(
    _ source: any DataSource, delay: Duration = SlowSource.defaultDelay, name: String = ""
  ) {
    self.source = source
    attempts = AttemptLog(Faults(delay: delay))
    state = SourceState(name: name)
    listenToChildren()
  }

  /// The delay of the next fetches.
  public var delay: Duration {
    get { attempts.faults.delay }
    set { attempts = AttemptLog(Faults(delay: newValue)) }
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `slow by 2s`
  public var summary: String { "slow by \(delay.written)" }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    try await makeSnapshot(fetch, attempt: attempts)
  }

  public func explanation(of path: IndexPath, in snapshot: Snapshot) -> [ExplanationLine] {
    [ExplanationLine("slow", "as in the source below; each fetch arrives \(delay.written) later")]
  }

  public func absence(of object: Value, at path: IndexPath, ofChild child: Int) -> String? { nil }
}
