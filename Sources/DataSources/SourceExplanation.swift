public import DataTables

/// The place below a wrapper of one of its objects.
public struct ObjectOrigin: Hashable, Sendable {
  /// The position of the source among ``DataSource/children``.
  public let child: Int
  public let path: IndexPath

  public init(child: Int, path: IndexPath) {
    self.child = child
    self.path = path
  }
}

// The explanations of kinds that add none of their own.
extension DataSource {
  /// The value of the key and its section, and the place by each descriptor, from
  /// ``Snapshot/arrangement``; empty without one.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    try await PlaceExplanation(of: path, in: snapshot)?.lines() ?? []
  }

  /// The place of the same row in a child, for kinds that sort and split the rows of their
  /// children.
  /// - Complexity: O(rows of the child).
  public func origin(of path: IndexPath, in snapshot: Snapshot) -> ObjectOrigin? {
    guard let store = snapshot.store.local, let row = try? store.row(at: path) else { return nil }
    for (index, child) in children.enumerated() {
      guard let below = child.state.snapshot?.store.local, below.table === store.table,
        let place = below.indexPath(ofRow: row)
      else { continue }
      return ObjectOrigin(child: index, path: place)
    }
    return nil
  }

  /// States that the predicate or the limit of ``Snapshot/arrangement`` leaves out the object.
  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let snapshot = state.snapshot, let arrangement = snapshot.arrangement else { return nil }
    if let result = try arrangement.evaluatePredicate(on: object), !result.holds {
      return "where: \(result.explanation)"
    }
    guard let limit = arrangement.limit, snapshot.numberOfObjects >= limit,
      mayHaveRows(of: snapshot, children[child])
    else { return nil }
    return "limit: \(limit) leaves it out"
  }

  /// Whether a child still shows the rows of a snapshot, as far as that is known.
  private func mayHaveRows(of snapshot: Snapshot, _ child: any DataSource) -> Bool {
    guard let table = child.state.snapshot?.store.local?.table else { return true }
    return table === snapshot.store.local?.table
  }
}
