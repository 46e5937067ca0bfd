public import DataTables

/// The origin of a wrapper's object: a child, and the index path of the object in it.
public struct ObjectOrigin: Hashable, Sendable {
  /// The position of the child in ``DataSource/children``.
  public let child: Int
  public let path: IndexPath

  public init(child: Int, path: IndexPath) {
    self.child = child
    self.path = path
  }
}

// The default explanations.
extension DataSource {
  /// Explains the result of the predicate, the section by the value of the key, and the row by each
  /// sort descriptor of ``Snapshot/request``; empty without a request.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    try await IndexPathExplanation(of: path, in: snapshot)?.lines() ?? []
  }

  /// Finds the object in a child by its ``RowIdentity``; suits kinds that sort, split or project the
  /// rows of their children.
  /// - Complexity: O(rows of the children); a table of a database counts rows.
  public func origin(of path: IndexPath, in snapshot: Snapshot) async throws -> ObjectOrigin? {
    try await originByIdentity(of: path, in: snapshot)
  }

  func originByIdentity(of path: IndexPath, in snapshot: Snapshot) async throws -> ObjectOrigin? {
    guard let identity = try await snapshot.store.identity(at: path) else { return nil }
    for (index, child) in children.enumerated() {
      if let path = try await child.state.snapshot?.indexPath(of: identity) {
        return ObjectOrigin(child: index, path: path)
      }
    }
    return nil
  }

  /// Names the predicate or the limit of ``Snapshot/request`` that leaves out the object.
  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let snapshot = state.snapshot, let request = snapshot.request else { return nil }
    if let result = try request.evaluatePredicate(on: object), !result.holds {
      return "where: \(result.explanation)"
    }
    guard let limit = request.limit, snapshot.numberOfObjects >= limit,
      mayHaveRows(of: snapshot, children[child])
    else { return nil }
    return "limit: \(limit) leaves it out"
  }

  /// Whether a child may still show the rows of a snapshot: false only if it shows another table.
  private func mayHaveRows(of snapshot: Snapshot, _ child: any DataSource) -> Bool {
    guard let table = child.state.snapshot?.store.local?.table else { return true }
    return table === snapshot.store.local?.table
  }
}
