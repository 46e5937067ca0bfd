public import DataTables

// Comparisons of contents.
extension Snapshot {
  /// The changes that lead from this content to another one.
  ///
  /// Content that is not in memory is copied, unless its store finds the changes, or both contents are
  /// in ascending order of the `id`: these are read side by side.
  /// - Throws: ``SourceError``: `limit` for a copy of too many objects; see
  ///   ``SectionedTable/changes(to:id:movesSections:cancellation:)``.
  // Concurrent, to leave the isolation of the source free.
  @concurrent
  public func changes(
    to new: Snapshot, id: ObjectKeyPath? = nil, movesSections: Bool = false,
    _ context: RequestContext = RequestContext()
  ) async throws -> [Change] {
    if isSame(as: new) { return [] }
    do {
      if let changes = try await store.changes(
        to: new.store, id: id, movesSections: movesSections, context)
      {
        return changes
      }
      // Content that was copied is watched: the copy of the new content is needed for later changes.
      if let id, copy == nil, needsCopy(context) || new.needsCopy(context),
        let changes = try await mergedChanges(to: new, id: id, context)
      {
        return changes
      }
      return try await localStore(context).content.changes(
        to: try await new.localStore(context).content, id: id, movesSections: movesSections,
        cancellation: context.cancellation)
    } catch {
      throw SourceError(error)
    }
  }

  /// Whether both contents have equal objects, written alike, in the same order and sections; nil if their rows have
  /// other numbers.
  ///
  /// - Throws: the errors of reading rows that differ.
  /// - Complexity: O(rows), as fast as memory is read; objects are read up to the first difference.
  func hasSameObjects(as new: Snapshot) throws -> Bool? {
    if isSame(as: new) { return true }
    guard let old = store.local, let new = new.store.local,
      EditedTable.haveSameRows(old.table, new.table)
    else { return nil }
    guard old.sections.offsets == new.sections.offsets, old.sections.titles == new.sections.titles
    else { return false }
    var position = 0
    while true {
      position += old.order.matches(from: position, new.order, from: position)
      if position == old.order.count { return true }
      // Several edits can lead back to the same values.
      let before = try old.table.object(at: old.order[position])
      let after = try new.table.object(at: new.order[position])
      guard before == after, before.isWritten(like: after) else { return false }
      position += 1
    }
  }

  /// Whether many objects would be copied for a comparison.
  private func needsCopy(_ context: RequestContext) -> Bool {
    store.local == nil && numberOfObjects >= context.minTracked
  }

  /// The changes between two contents of one section each, in ascending order of a key; nil for other
  /// contents.
  ///
  /// - Complexity: O(objects); memory is used for the changes only.
  private func mergedChanges(
    to new: Snapshot, id: ObjectKeyPath, _ context: RequestContext
  ) async throws -> [Change]? {
    guard numberOfSections == 1, new.numberOfSections == 1 else { return nil }
    let phase = context.progress.begin(
      "comparing \(numberOfObjects.grouped) objects", unit: .rows, total: numberOfObjects)
    defer { phase.end() }
    var before = KeyedObjects(self, id, context)
    var after = KeyedObjects(new, id, context)
    var rows: [SparseChanges.Row] = []
    var (left, right) = (try await before.next(), try await after.next())
    while before.isAscending, after.isAscending {
      let order: Ordering
      switch (left, right) {
      case (nil, nil):
        return SparseChanges(old: try await sizes(), new: try await new.sizes(), rows: rows)?
          .changes()
      case (_?, nil): order = .before
      case (nil, _?): order = .after
      case (let old?, let new?): order = old.key.compare(new.key)
      }
      if order != .same || left?.object != right?.object {
        rows.append(
          SparseChanges.Row(
            old: order == .after ? nil : left?.position,
            new: order == .before ? nil : right?.position))
      }
      if order != .after {
        left = try await before.next()
        phase.advance(by: 1)
      }
      if order != .before { right = try await after.next() }
    }
    return nil
  }

  /// The only section, with the number of its objects.
  private func sizes() async throws -> Sections {
    .whole(numberOfObjects, title: try await title(of: 0))
  }

  /// The same objects in one section without a title.
  package var untitled: Snapshot {
    guard let local = store.local else {
      return Snapshot(ConcatenatedStore([ConcatenatedStore.Part(store: store, title: "")]))
    }
    return Snapshot(
      LocalStore(
        table: local.table, order: local.order, sections: .whole(local.order.count, title: "")))
  }
}

/// The objects of a content with the values of a key, as long as these ascend.
private struct KeyedObjects {
  struct Element {
    let key: Value
    let object: Value
    let position: Int
  }
  private var batches: ObjectBatches.Iterator
  private var batch: ArraySlice<Value> = []
  private let path: ObjectKeyPath
  private let cancellation: Cancellation
  private var position = 0
  private var last: Value?
  /// Whether each key that was read is greater than the one before it, and not null.
  private(set) var isAscending = true

  init(_ content: Snapshot, _ path: ObjectKeyPath, _ context: RequestContext) {
    batches = content.batches(of: context.batchSize ?? 1_024).makeAsyncIterator()
    self.path = path
    cancellation = context.cancellation
  }

  mutating func next() async throws -> Element? {
    if batch.isEmpty {
      try cancellation.check()
      batch = try await batches.next()?.objects[...] ?? []
    }
    guard let object = batch.popFirst() else { return nil }
    let key = path.evaluate(on: object)
    if key.isNull || last.map({ $0.compare(key) != .before }) ?? false { isAscending = false }
    last = key
    defer { position += 1 }
    return Element(key: key, object: object, position: position)
  }
}
