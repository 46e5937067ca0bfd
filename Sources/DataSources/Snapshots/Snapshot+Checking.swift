package import DataTables

/// Objects that break an expectation about all objects.
package struct BrokenExpectation: Sendable {
  package let count: Int
  /// The first of them.
  package let first: IndexPath
  /// The object before it with the same key, or the one directly before it; nil for a predicate.
  package var other: IndexPath?
}

// Expectations about all objects, or about those of a section, in the order of the content. They copy
// the objects of a store that is not in memory.
extension Snapshot {
  /// The objects that satisfy a predicate; nil if there are none.
  ///
  /// - Parameter section: nil for all sections.
  /// - Throws: ``SourceError``: `unknownKey` for a key that no object has.
  package func objects(
    where predicate: Predicate, in section: Int? = nil, _ context: RequestContext
  ) async throws -> BrokenExpectation? {
    var paths = try await indexPaths(where: predicate, context)
    if let section { paths.removeAll { $0.section != section } }
    return paths.first.map { BrokenExpectation(count: paths.count, first: $0) }
  }

  /// The objects whose value under a key an earlier object has; nil if all values differ. Missing
  /// values are equal.
  ///
  /// - Parameter section: nil for all sections.
  /// - Throws: ``SourceError``: `unknownKey` for a key that no object has, `limit` for too many objects.
  @concurrent
  package func repeats(
    of key: ObjectKeyPath, in section: Int? = nil, _ context: RequestContext
  ) async throws -> BrokenExpectation? {
    let store = try await localStore(context)
    let positions = store.positions(of: section)
    guard
      let found = try store.table.repeatedValues(
        of: key, in: store.order.rows(at: positions), cancellation: context.cancellation)
    else { return nil }
    return BrokenExpectation(
      count: found.rows,
      first: store.indexPath(ofPosition: positions.lowerBound + found.position),
      other: store.indexPath(ofPosition: positions.lowerBound + found.earlier))
  }

  /// The objects that a sort would put before the object above them; nil if the content is sorted.
  ///
  /// - Parameter section: nil for all sections.
  /// - Throws: see ``repeats(of:_:)``.
  @concurrent
  package func disorder(
    by descriptors: [SortDescriptor], in section: Int? = nil, _ context: RequestContext
  ) async throws -> BrokenExpectation? {
    let store = try await localStore(context)
    let positions = store.positions(of: section)
    let order = store.order.rows(at: positions)
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
        count: count, first: store.indexPath(ofPosition: positions.lowerBound + position),
        other: store.indexPath(ofPosition: positions.lowerBound + position - 1))
    }
  }
}

extension LocalStore {
  /// The positions in ``order`` of the objects of a section, or of all objects.
  fileprivate func positions(of section: Int?) -> Range<Int> {
    guard let section else { return 0..<order.count }
    return sections.offsets[section]..<sections.offsets[section + 1]
  }
}
