public import DataTables

// What a kind of source tells of its objects when it has nothing of its own to tell.
extension DataSource {
  /// The value of the key and its section, and the place by each descriptor, from
  /// ``Snapshot/arrangement``; nothing where there is none.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    try await PlaceExplanation(of: path, in: snapshot)?.lines() ?? []
  }

  /// The place below of the same row: for kinds that order and cut the rows of what they wrap.
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

  /// That the predicate or the limit of ``Snapshot/arrangement`` leaves the object out.
  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let snapshot = state.snapshot, let arrangement = snapshot.arrangement else { return nil }
    if let verdict = try arrangement.verdict(on: object), !verdict.holds {
      return "where: \(verdict.text)"
    }
    guard let limit = arrangement.limit, snapshot.numberOfObjects >= limit,
      isAsTaken(children[child], in: snapshot)
    else { return nil }
    return "limit: \(limit) leaves it out"
  }

  /// Whether a child still shows the rows that a snapshot was made of, as far as that can be told.
  private func isAsTaken(_ child: any DataSource, in snapshot: Snapshot) -> Bool {
    guard let table = child.state.snapshot?.store.local?.table else { return true }
    return table === snapshot.store.local?.table
  }

  public static var fetchesSynchronously: Bool { true }
}

extension LocalStore {
  /// The first place at which a row of the table stands; nil when it is not shown.
  func indexPath(ofRow row: Int) -> IndexPath? {
    switch order {
    case .natural(let count): row < count ? indexPath(ofPosition: row) : nil
    case .rows(let rows):
      rows.firstIndex { Int($0) == row }.map { indexPath(ofPosition: $0) }
    }
  }
}

extension SnapshotStore {
  /// The place of the object at a position, counted over all sections; nil past the end.
  func indexPath(ofPosition position: Int) -> IndexPath? {
    var row = position
    for section in 0..<numberOfSections {
      let count = numberOfObjects(in: section)
      if row < count { return IndexPath(section: section, row: row) }
      row -= count
    }
    return nil
  }
}
