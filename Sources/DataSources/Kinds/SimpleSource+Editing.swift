public import DataTables

extension SimpleSource: EditableSource {
  public func owns(_ edit: Edit) -> Bool { true }

  public func apply(
    _ edit: Edit, in group: EditGroup, cancellation: Cancellation
  ) async throws -> EditOutcome {
    var pool = pool ?? EditPool(base)
    // The pool is not copied when objects are added.
    self.pool = nil
    defer { self.pool = pool }
    switch edit {
    case .insert(let objects, let place):
      let position = try position(of: place)
      // Nothing to undo.
      if objects.isEmpty { return EditOutcome(EditCounts()) }
      let rows = try pool.add(objects)
      history.replace(position..<position, with: [rows], in: group)
      return EditOutcome(EditCounts(inserted: objects.count), placedRow: rows.first)
    case .remove(let paths):
      let positions = try positions(of: paths).sortedOnce()
      try cancellation.check()
      history.replace(positions, with: positions.map { _ in 0..<0 }, in: group)
      return EditOutcome(EditCounts(removed: positions.count))
    case .update(let updates):
      return try apply(updates, to: &pool, in: group, cancellation)
    case .move(let path, let place, let values):
      return try move(path, to: place, setting: values, in: &pool, group)
    }
  }

  private func apply(
    _ updates: [ObjectUpdate], to pool: inout EditPool, in group: EditGroup,
    _ cancellation: Cancellation
  ) throws -> EditOutcome {
    let positions = try positions(of: updates.map(\.path))
    try cancellation.check()
    // A file is read fastest in the order of its rows.
    let order = positions.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
    var changed = ChangedObjects()
    var count = 0
    for start in stride(from: 0, to: order.count, by: Self.batch) {
      try cancellation.check()
      let batch = order[start..<min(start + Self.batch, order.count)]
      let olds = batch.map { history.rows[positions[$0]] }
      let objects = try pool.objects(of: olds)
      for (place, index) in batch.enumerated() {
        let position = positions[index]
        let isSamePosition = start + place > 0 && positions[order[start + place - 1]] == position
        if !isSamePosition { count += 1 }
        // A wrapper can show an object several times.
        let isRepeated = changed.positions.last == position
        let old = isRepeated ? changed.objects[changed.objects.count - 1] : objects[place]
        let new = try old.updating(updates[index].values)
        if new == old, new.isWritten(like: old) { continue }
        if isRepeated {
          changed.objects[changed.objects.count - 1] = new
        } else {
          changed.positions.append(position)
          changed.rows.append(olds[place])
          changed.objects.append(new)
        }
      }
    }
    try cancellation.check()
    let rows = try pool.add(changed.objects, updating: changed.rows)
    history.replace(changed.positions, with: rows.map { $0..<$0 + 1 }, in: group)
    return EditOutcome(EditCounts(updated: count))
  }

  /// Objects that are updated between two checks for a cancellation.
  private static let batch = 10_000

  private func move(
    _ path: IndexPath, to place: Edit.Place, setting values: [KeyValue], in pool: inout EditPool,
    _ group: EditGroup
  ) throws -> EditOutcome {
    let position = try positions(of: [path])[0]
    var row = history.rows[position]
    if !values.isEmpty {
      let object = try pool.object(of: row).updating(values)
      row = try pool.add([object], updating: [row]).lowerBound
    }
    // The place counts with the object at its old position.
    let target = try self.position(of: place)
    if target == position || target == position + 1 {
      if !values.isEmpty {
        history.replace(position..<position + 1, with: [row..<row + 1], in: group)
      }
    } else {
      history.replace(position..<position + 1, with: [], in: group)
      let other = target > position ? target - 1 : target
      history.replace(other..<other, with: [row..<row + 1], in: group)
    }
    return EditOutcome(EditCounts(moved: 1), placedRow: row)
  }

  /// The positions of shown objects among the rows of the history.
  private func positions(of paths: [IndexPath]) throws -> [Int] {
    let count = countOfAll
    guard count == nil, let store = state.snapshot?.store.local else {
      let shown = 0..<(count ?? history.rows.count)
      return try paths.map { path in
        guard shown.contains(path.row) else { throw SourceError.outdatedObject }
        return path.row
      }
    }
    let rows = try paths.map { try store.row(at: $0) }
    return try history.rows.positions(of: rows).map {
      guard let position = $0 else { throw SourceError.outdatedObject }
      return position
    }
  }

  private func position(of place: Edit.Place) throws -> Int {
    let row: Int
    switch place {
    case .end: return history.rows.count
    case .row(let shown): row = shown
    case .path(let path): row = path.row
    }
    let count = countOfAll ?? numberOfObjects
    guard (0...count).contains(row) else {
      throw SourceError.placeOutOfRange(IndexPath(section: 0, row: row), places: count + 1)
    }
    if row == count { return history.rows.count }
    return try positions(of: [IndexPath(section: 0, row: row)])[0]
  }

  /// The number of objects with all edits; nil if a predicate hides some of them.
  public var countOfAll: Int? {
    state.snapshot?.request?.predicate == nil ? history.rows.count : nil
  }

  /// With the predicate and the title of the last fetch.
  public func editedContent(cancellation: Cancellation) async throws -> Snapshot {
    try await content(
      where: state.snapshot?.request?.predicate,
      title: state.snapshot?.store.local?.sections.titles.first, cancellation: cancellation)
  }

  /// Whether objects of a loaded file have been edited since it was read or saved.
  public var hasEdits: Bool {
    guard path != nil else { return false }
    return savedRows.map { !history.rows.hasSameRows(as: $0) }
      ?? !history.rows.isNatural(base.count)
  }
}

extension [Int] {
  /// The elements in ascending order, each once.
  /// - Complexity: O(count) for ascending elements, which searches return.
  fileprivate func sortedOnce() -> [Int] {
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return self }
    var result: [Int] = []
    for element in sorted() where element != result.last { result.append(element) }
    return result
  }
}

/// Objects that an update changes.
private struct ChangedObjects {
  /// The positions among the rows of the history, ascending.
  var positions: [Int] = []
  /// The rows with the old forms.
  var rows: [Int] = []
  /// The new forms.
  var objects: [Value] = []
}
