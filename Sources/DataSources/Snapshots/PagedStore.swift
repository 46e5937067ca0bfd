public import DataTables

/// A store that reads its objects in pages. It must implement only titles, counts and objects: the
/// other reads have defaults that read all objects in batches.
// Not an extension of `SnapshotStore`: a call on a local store, whose reads do not wait, would prefer
// the asynchronous defaults.
public protocol PagedStore: SnapshotStore {}

extension PagedStore {
  public var listedTitles: [ListedTitle]? { nil }
  public var local: LocalStore? { nil }

  public func answer(
    _ request: ContentRequest, _ context: RequestContext
  ) async throws -> StoreAnswer {
    StoreAnswer(self, rest: request)
  }

  public func identity(at path: IndexPath) async throws -> RowIdentity? { nil }
  public func indexPath(of identity: RowIdentity) async throws -> IndexPath? { nil }

  public func indexPath(
    matching values: Record, cancellation: Cancellation
  ) async throws -> IndexPath? {
    let paths = values.keys.map { ObjectKeyPath(key: $0) }
    return try await firstIndexPath(cancellation) { object in
      zip(paths, values.values).allSatisfy { $0.evaluate(on: object) == $1 }
    }
  }

  public func indexPath(
    of object: Value, cancellation: Cancellation
  ) async throws -> IndexPath? {
    try await firstIndexPath(cancellation) { $0 == object }
  }

  public func indexPath(
    where predicate: Predicate, cancellation: Cancellation
  ) async throws -> IndexPath? {
    try await firstIndexPath(satisfying: predicate, cancellation)
  }

  /// Reads objects until one satisfies the predicate.
  /// - Throws: `TableError.unknownKey` for a key that no object has.
  package func firstIndexPath(
    satisfying predicate: Predicate, _ cancellation: Cancellation
  ) async throws -> IndexPath? {
    try check(predicate.keyPaths)
    var presences = predicate.keyPaths.map { KeyPresence($0) }
    let path = try await firstIndexPath(cancellation) { object in
      for index in presences.indices { presences[index].add(CollectionOfOne(object)) }
      return try predicate.holds(on: object)
    }
    if path == nil { for presence in presences { try presence.check() } }
    return path
  }

  /// - Complexity: O(objects).
  private func firstIndexPath(
    _ cancellation: Cancellation, where holds: (Value) throws -> Bool
  ) async throws -> IndexPath? {
    for try await batch in Snapshot(self).batches() {
      try cancellation.check()
      if let offset = try batch.objects.firstIndex(where: holds) {
        return IndexPath(section: batch.start.section, row: batch.start.row + offset)
      }
    }
    return nil
  }

  /// The objects are in their original order.
  public func inputPositions(cancellation: Cancellation) async throws -> [[Int]] {
    var start = 0
    return (0..<numberOfSections).map { section in
      defer { start += numberOfObjects(in: section) }
      return Array(start..<start + numberOfObjects(in: section))
    }
  }
}
