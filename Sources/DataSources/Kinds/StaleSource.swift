public import DataTables

/// The objects that another source had when this one was first fetched, as a cache shows them that is
/// never emptied: for lessons, and for tests of the sources above.
///
/// Later fetches succeed with the same content and do not fetch the source below; its edits and fetches
/// are not shown. ``isOutdated`` is whether the content is no longer that of the source below.
public final class StaleSource: PassingSource {
  public static let kind = "stale"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// Whether the next fetch keeps the content, if there is one from the same source. False fetches the
  /// source below, and follows it from then on.
  public var isStale: Bool
  /// ``isStale`` in the last fetch.
  private var keepsContent = true

  public init(_ source: any DataSource, isStale: Bool = true, name: String = "") {
    self.source = source
    self.isStale = isStale
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `stale`, `stale, following again`
  public var summary: String { isStale ? "stale" : "stale, following again" }

  public var followsChildren: Bool { !keepsContent }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    // A preview shows where an edit below would put an object.
    if fetch.isPreview || fetch.isUpdate { return try await plannedSnapshot(fetch) }
    let isStale = isStale
    state.whenStored { [weak self] in self?.keepsContent = isStale }
    if isStale, let kept = state.latestSnapshot, state.plan?.source === source { return kept }
    return try await plannedSnapshot(fetch)
  }

  /// Whether the content differs from that of the source below. Contents of other tables are compared
  /// only if they are small; large ones count as different.
  public var isOutdated: Bool {
    guard keepsContent, let kept = state.latestSnapshot, let below = source.state.snapshot,
      !kept.isIdentical(to: below)
    else { return false }
    if let isSame = try? kept.hasSameObjects(as: below) { return !isSame }
    return (try? kept.hasEqualObjects(as: below)) != true
  }

  public func explanation(of path: IndexPath, in snapshot: Snapshot) -> [ExplanationLine] {
    guard keepsContent else { return [ExplanationLine("stale", "as in the source below")] }
    return [
      ExplanationLine(
        "stale",
        isOutdated
          ? "kept from the first fetch; the source below has changed since"
          : "kept from the first fetch, as in the source below")
    ]
  }

  public func absence(of object: Value, at path: IndexPath, ofChild child: Int) -> String? {
    isOutdated
      ? "the content is kept from the first fetch; `stale: false` and a fetch renew it" : nil
  }
}

extension Snapshot {
  private static var mostCompared: Int { 10_000 }

  /// Whether both contents have equal objects in equal sections; nil if that would take long.
  fileprivate func hasEqualObjects(as other: Snapshot) throws -> Bool? {
    guard numberOfObjects == other.numberOfObjects, numberOfSections == other.numberOfSections
    else { return false }
    guard let store = store.local, let other = other.store.local,
      numberOfObjects <= Self.mostCompared
    else { return nil }
    guard store.sections.offsets == other.sections.offsets,
      store.sections.titles == other.sections.titles
    else { return false }
    for position in 0..<store.order.count {
      let before = try store.table.object(at: store.order[position])
      let after = try other.table.object(at: other.order[position])
      guard before == after, before.isWritten(like: after) else { return false }
    }
    return true
  }
}
