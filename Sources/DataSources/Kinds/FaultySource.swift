public import DataTables

/// The objects of another source, with fetches that fail on request: for lessons, and for tests of the
/// sources above.
///
/// A fetch that fails does not reach the source below, and the old content is kept. A page that was
/// chosen to fail (``FailingAttempt/Unit/page``) fails when it is first fetched through this source. In
/// a fetch of all pages, the failure of a page after the first is reported when all pages have arrived
/// below. Edits below are shown, as are fetches of the source below that began there.
public final class FaultySource: PassingSource, PagedSource {
  public static let kind = "faulty"
  public let state: SourceState
  public private(set) var source: any DataSource
  private var attempts: AttemptLog

  public init(_ source: any DataSource, faults: Faults, name: String = "") {
    self.source = source
    attempts = AttemptLog(faults)
    state = SourceState(name: name)
    listenToChildren()
  }

  /// The faults of the next fetches, which are counted from 1 after a change.
  public var faults: Faults {
    get { attempts.faults }
    set { attempts = AttemptLog(newValue) }
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `faulty, fail: fetch 3`, `faulty, fail: page 2 rate: 0.2 seed: 7`
  public var summary: String {
    faults.canFail ? "faulty, \(faults.failures)" : "faulty, without faults"
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    try await makeSnapshot(fetch, attempt: attempts)
  }

  public func explanation(of path: IndexPath, in snapshot: Snapshot) -> [ExplanationLine] {
    let old = error == nil ? "" : " before the fetch that failed"
    let failures = faults.canFail ? "; `\(faults.failures)`" : ""
    return [ExplanationLine("faulty", "as in the source below\(old)\(failures)")]
  }

  public func absence(of object: Value, at path: IndexPath, ofChild child: Int) -> String? {
    error.map { "the last fetch failed: \($0.message)" }
  }
}
