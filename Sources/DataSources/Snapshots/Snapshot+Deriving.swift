public import DataTables

// Filtering, copying and comparing content.
extension Snapshot {
  /// The content with only the objects that satisfy a predicate; a nil predicate keeps all objects.
  ///
  /// Empty sections are removed unless `keepsEmpty`; the single untitled section of flat content is
  /// always kept.
  // Concurrent, to leave the isolation of the source free.
  @concurrent
  func filtered(
    by predicate: Predicate?, keepsEmpty: Bool = false, cancellation: Cancellation
  ) async throws -> Snapshot {
    guard let predicate else { return self }
    let store = try await localStore(cancellation: cancellation)
    let kept = try store.filtered(
      by: predicate, keepsEmpty: keepsEmpty, cancellation: cancellation)
    return adopting(kept.store, sections: kept.sections)
  }

  /// A snapshot of other objects in some sections of this one, with the index titles of these.
  ///
  /// - Parameter sections: for each section of `store`, its section in this snapshot.
  func adopting(_ store: LocalStore, sections: [Int]) -> Snapshot {
    var snapshot = Snapshot(store)
    if hasOwnIndex {
      var newSections = [Int?](repeating: nil, count: numberOfSections)
      for (newSection, section) in sections.enumerated() { newSections[section] = newSection }
      snapshot.indexParts = indexParts(newSections: newSections)
    }
    return snapshot
  }

  /// The changes that lead from this content to another one.
  /// - Throws: ``SourceError``; see ``SectionedTable/changes(to:id:cancellation:)``.
  // Concurrent, to leave the isolation of the source free.
  @concurrent
  public func changes(
    to new: Snapshot, id: ObjectKeyPath? = nil, cancellation: Cancellation = Cancellation()
  ) async throws -> [Change] {
    do {
      return try await localStore(cancellation: cancellation).content.changes(
        to: try await new.localStore(cancellation: cancellation).content, id: id,
        cancellation: cancellation)
    } catch {
      throw SourceError(error)
    }
  }

  /// The store if it is local; a local copy of the objects otherwise.
  ///
  /// - Parameter batch: number of objects to read at a time for a copy; nil for the default.
  func localStore(cancellation: Cancellation, batch: Int? = nil) async throws -> LocalStore {
    if let local = store.local { return local }
    var objects: [Value] = []
    for try await batch in batches(of: batch ?? 1_024) {
      try cancellation.check()
      objects += batch.objects
    }
    var offsets = [0]
    for section in 0..<numberOfSections {
      offsets.append(offsets[section] + store.numberOfObjects(in: section))
    }
    return LocalStore(
      table: ValueTable(objects), order: .natural(objects.count),
      sections: Sections(offsets: offsets, titles: try await titles()))
  }
}
