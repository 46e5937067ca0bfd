package import DataTables

/// Objects that break an expectation about all objects.
package struct BrokenExpectation: Sendable {
  package let count: Int
  /// The first of them.
  package let first: IndexPath
  /// The object before it with the same key, or the one directly before it; nil for a predicate.
  package var other: IndexPath?
}

// Expectations about all objects, in the order of the content. Objects of a store that is not in
// memory are copied for them.
extension Snapshot {
  /// The objects that satisfy a predicate; nil if there are none.
  /// - Throws: ``SourceError``: `unknownKey` for a key that no object has.
  package func objects(
    where predicate: Predicate, _ context: RequestContext
  ) async throws -> BrokenExpectation? {
    let paths = try await indexPaths(where: predicate, context)
    return paths.first.map { BrokenExpectation(count: paths.count, first: $0) }
  }

  /// The objects whose value under a key an earlier object has; nil if all values differ. Missing
  /// values are equal.
  /// - Throws: ``SourceError``: `unknownKey` for a key that no object has, `limit` for too many objects.
  @concurrent
  package func repeats(
    of key: ObjectKeyPath, _ context: RequestContext
  ) async throws -> BrokenExpectation? {
    let store = try await localStore(context)
    guard
      let found = try store.table.repeatedValues(
        of: key, in: store.order, cancellation: context.cancellation)
    else { return nil }
    return BrokenExpectation(
      count: found.rows, first: store.indexPath(ofPosition: found.position),
      other: store.indexPath(ofPosition: found.earlier))
  }

  /// The objects that a sort would put before the object above them; nil if the content is sorted.
  /// - Throws: see ``repeats(of:_:)``.
  @concurrent
  package func disorder(
    by descriptors: [SortDescriptor], _ context: RequestContext
  ) async throws -> BrokenExpectation? {
    let store = try await localStore(context)
    let order = store.order
    let sorted = try store.table.sorted(
      order, by: descriptors, cancellation: context.cancellation)
    // A stable sort keeps the order of equal objects, so a sorted content is not changed.
    var places = [Int](repeating: 0, count: store.table.count)
    for place in 0..<sorted.count { places[sorted[place]] = place }
    var count = 0
    var first: Int?
    for position in order.count > 1 ? 1..<order.count : 0..<0
    where places[order[position]] < places[order[position - 1]] {
      count += 1
      first = first ?? position
    }
    return first.map { position in
      BrokenExpectation(
        count: count, first: store.indexPath(ofPosition: position),
        other: store.indexPath(ofPosition: position - 1))
    }
  }
}
