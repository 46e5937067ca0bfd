public import DataTables

/// The objects of another source that equal no earlier one, in its order and its sections.
///
/// The first object of each kind is kept, counted over all sections. Sections that become empty are
/// removed; the single untitled section of a flat source stays.
public final class DistinctSource: WrappingSource {
  public static let kind = "distinct"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// The key paths whose values the next fetch compares, null like any other value; empty to compare
  /// whole objects.
  public var keys: [ObjectKeyPath]

  public init(_ source: any DataSource, by keys: [ObjectKeyPath] = [], name: String = "") {
    self.source = source
    self.keys = keys
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `distinct`, `distinct by kind, city`
  public var summary: String { keys.isEmpty ? "distinct" : "distinct by \(list)" }

  private var list: String { keys.map(\.description).joined(separator: ", ") }

  public var plan: FetchPlan {
    let request = ContentRequest(distinct: keys)
    return FetchPlan(source, settings: [request]) { inner, fetch in
      try await inner.answering(request, fetch.context)
    }
  }

  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let object = try await snapshot.object(at: path)
    let values = keys.map { "\($0) \($0.evaluate(on: object).excerpt)" }
    let kind = keys.isEmpty ? "equal objects" : "the objects with " + values.joined(separator: ", ")
    return [ExplanationLine("row \(path.row)", "the first of \(kind)")]
  }

  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let snapshot = state.snapshot else { return nil }
    let shown: IndexPath? =
      if keys.isEmpty {
        try await snapshot.indexPath(of: object)
      } else {
        try await snapshot.firstIndexPath(
          equal: keys.map { $0.evaluate(on: object) }, under: keys)
      }
    return shown.map { "\(summary) shows only the first such object, at \($0)" }
  }
}

extension Snapshot {
  /// The index path of the first object with these values under these key paths; nil without one.
  /// - Complexity: O(objects).
  fileprivate func firstIndexPath(
    equal values: [Value], under keys: [ObjectKeyPath]
  ) async throws -> IndexPath? {
    for try await batch in batches() {
      let offset = batch.objects.firstIndex { object in
        zip(keys, values).allSatisfy { $0.evaluate(on: object) == $1 }
      }
      if let offset {
        return IndexPath(section: batch.start.section, row: batch.start.row + offset)
      }
    }
    return nil
  }
}
