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
  /// sort descriptor of ``Snapshot/arrangement``; empty without an arrangement.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    try await IndexPathExplanation(of: path, in: snapshot)?.lines() ?? []
  }

  /// Finds the same row in a child, or the row from which a ``DerivedTable`` made it; suits kinds
  /// that sort, split or project the rows of their children.
  /// - Complexity: O(rows of the children).
  public func origin(of path: IndexPath, in snapshot: Snapshot) -> ObjectOrigin? {
    guard let store = snapshot.store.local, let row = try? store.row(at: path) else { return nil }
    let derived = store.table as? any DerivedTable
    for (index, child) in children.enumerated() {
      guard let below = child.state.snapshot?.store.local else { continue }
      let rowBelow = below.table === store.table ? row : derived?.baseRow(of: row, in: below.table)
      guard let rowBelow, let path = below.indexPath(ofRow: rowBelow) else { continue }
      return ObjectOrigin(child: index, path: path)
    }
    return nil
  }

  /// Names the predicate or the limit of ``Snapshot/arrangement`` that leaves out the object.
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

  /// Whether a child may still show the rows of a snapshot: false only if it shows another table.
  private func mayHaveRows(of snapshot: Snapshot, _ child: any DataSource) -> Bool {
    guard let table = child.state.snapshot?.store.local?.table else { return true }
    return table === snapshot.store.local?.table
  }
}

extension DerivedTable {
  /// The row of `table` from which a row is made; nil if the rows are made from another table.
  fileprivate func baseRow(of row: Int, in table: any Table) -> Int? {
    base === table ? baseRow(of: row) : nil
  }
}
