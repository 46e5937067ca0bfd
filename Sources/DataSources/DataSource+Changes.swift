public import DataTables

extension DataSource {
  /// What tells that objects are the same, though they changed: set on this source, or else on the
  /// nearest below it. nil when equal objects are the same.
  public var id: ObjectKeyPath? {
    get {
      var level: [any DataSource] = [self]
      var seen: Set<ObjectIdentifier> = []
      while !level.isEmpty {
        if let id = level.lazy.compactMap(\.state.id).first { return id }
        level = level.flatMap(\.children)
        // Those that several wrap are in a level of several.
        if level.count > 1 { level.removeAll { !seen.insert(ObjectIdentifier($0)).inserted } }
      }
      return nil
    }
    set { state.id = newValue }
  }

  /// The changes between the last two contents, in the order in which a table view takes them; none
  /// before there are two. Failed fetches do not count, edits do.
  /// - Throws: ``SourceError``: `unknownKey` when no object has the ``id``.
  public func changes(cancellation: Cancellation = Cancellation()) async throws -> [Change] {
    guard let old = state.previous, let new = state.snapshot else { return [] }
    return try await old.changes(to: new, id: id, cancellation: cancellation)
  }
}

extension Snapshot {
  /// The changes that lead from this content to another one.
  /// - Throws: ``SourceError``; as ``SectionedTable/changes(to:id:cancellation:)`` tells.
  // Elsewhere, so that the isolation of the source is free while contents are compared.
  @concurrent
  public func changes(
    to new: Snapshot, id: ObjectKeyPath? = nil, cancellation: Cancellation = Cancellation()
  ) async throws -> [Change] {
    do {
      return try await rows(cancellation)
        .changes(to: try await new.rows(cancellation), id: id, cancellation: cancellation)
    } catch {
      throw SourceError(error)
    }
  }

  private func rows(_ cancellation: Cancellation) async throws -> SectionedTable {
    let store = try await localStore(cancellation: cancellation)
    // A copy of what is not at hand has lost its sections.
    guard self.store.local == nil else {
      return SectionedTable(table: store.table, order: store.order, sections: store.sections)
    }
    let offsets = (0..<numberOfSections).reduce(into: [0]) {
      $0.append($0[$0.count - 1] + self.store.numberOfObjects(in: $1))
    }
    return SectionedTable(
      table: store.table, order: store.order,
      sections: Sections(offsets: offsets, titles: try await titles()))
  }
}
