public import DataTables

/// A part of the objects of another source: at most ``limit`` objects after the first ``offset``,
/// counted over all sections, in the order and in the sections of the source.
///
/// Sections that become empty are removed; the single untitled section of a flat source stays.
public final class LimitedSource: WrappingSource {
  public static let kind = "limit"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// The maximum number of objects of the next fetch.
  public var limit: Int
  /// The number of objects that the next fetch leaves out before the first one that it shows.
  public var offset: Int

  public init(_ source: any DataSource, limit: Int, offset: Int = 0, name: String = "") {
    self.source = source
    self.limit = limit
    self.offset = offset
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `limit 100`, `limit 100, offset 20`
  public var summary: String { "limit \(limit)" + (offset > 0 ? ", offset \(offset)" : "") }

  public var plan: FetchPlan {
    let request = ContentRequest(offset: offset, limit: limit)
    return FetchPlan(source, settings: [request]) { inner, fetch in
      try await inner.answering(request, fetch.context)
    }
  }

  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let position = snapshot.store.position(of: path)
    let skipped = offset > 0 ? ", after the \(offset) that `offset:` leaves out" : ""
    return [ExplanationLine("row \(path.row)", "object \(position) of at most \(limit)\(skipped)")]
  }

  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard state.snapshot != nil, let below = source.state.snapshot else { return nil }
    let position = below.store.position(of: path)
    if position < offset { return "`offset: \(offset)` leaves out object \(position)" }
    return position - offset < limit ? nil : "limit \(limit) leaves out object \(position)"
  }
}
