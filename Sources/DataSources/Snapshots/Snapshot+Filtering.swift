public import DataTables

extension Snapshot {
  /// The content without the objects that do not satisfy a predicate; nil keeps all.
  ///
  /// Sections that are left empty go, unless `keepsEmpty`; the one untitled section of a flat
  /// content stays.
  // Elsewhere, so that the isolation of the source is free meanwhile.
  @concurrent
  func filtered(
    by predicate: Predicate?, keepsEmpty: Bool = false, cancellation: Cancellation
  ) async throws -> Snapshot {
    guard let predicate else { return self }
    let store = try await localStore(cancellation: cancellation)
    let kept = try store.filtered(
      by: predicate, keepsEmpty: keepsEmpty, cancellation: cancellation)
    var snapshot = Snapshot(kept.store)
    if hasOwnIndex {
      var places = [Int?](repeating: nil, count: numberOfSections)
      for (place, section) in kept.sections.enumerated() { places[section] = place }
      snapshot.indexParts = indexParts(at: places)
    }
    return snapshot
  }
}

extension Snapshot {
  /// The first object that satisfies a predicate; nil when there is none.
  ///
  /// - Throws: ``SourceError``, `unknownKey` when no object has a key of the predicate.
  public func indexPath(
    where predicate: Predicate, cancellation: Cancellation = Cancellation()
  ) async throws -> IndexPath? {
    do {
      if let local = store.local {
        let position = try local.table.firstPosition(
          in: local.order, satisfying: predicate, cancellation: cancellation)
        return position.map(local.indexPath(ofPosition:))
      }
      for try await batch in batches() {
        try cancellation.check()
        if let offset = try batch.objects.firstIndex(where: predicate.holds(on:)) {
          return IndexPath(section: batch.start.section, row: batch.start.row + offset)
        }
      }
      return nil
    } catch {
      throw SourceError(error)
    }
  }
}

extension LocalStore {
  /// What satisfies a predicate, and which of the sections have it.
  func filtered(
    by predicate: Predicate, keepsEmpty: Bool = false, cancellation: Cancellation = Cancellation()
  ) throws -> (store: LocalStore, sections: [Int]) {
    let isFlat = sections.titles == [""]
    let kept = try table.filtered(
      order, in: sections, by: predicate, keepsEmpty: keepsEmpty || isFlat,
      cancellation: cancellation)
    return (LocalStore(table: table, order: kept.order, sections: kept.sections), kept.kept)
  }
}
