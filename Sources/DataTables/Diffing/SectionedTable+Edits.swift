// Changes between the contents before and after edits.
extension SectionedTable {
  /// The changes to the content after edits; nil if all rows must be compared, because many differ, or
  /// because a row that did not change may be the same object as one that differs.
  ///
  /// - Complexity: O(rows), as fast as a column and the order are read;
  ///   O(differing rows · log differing rows).
  /// - Throws: the errors of ``changes(to:id:movesSections:cancellation:)``.
  func changesAfterEdits(
    to new: SectionedTable, id: ObjectKeyPath?, movesSections: Bool, cancellation: Cancellation
  ) throws -> [Change]? {
    guard let rows = EditedRows(shared: table, new.table),
      let difference = RowDifference(from: order, to: new.order),
      let divided = DividedSections(old: sections, new: new.sections, difference)
    else { return nil }
    let edited = EditedObjects(rows, difference)
    do {
      guard try !edited.shareObjects(with: order, id: id, cancellation: cancellation) else {
        return nil
      }
      try cancellation.check()
      let pairs = try edited.pairs(id: id, cancellation: cancellation)
      return SparseChanges(old: sections, new: new.sections, rows: pairs + divided.pairs)?
        .changes(movesSections: movesSections)
    } catch TableError.unknownKey {
      // Only an added object has the key.
      return nil
    }
  }
}

/// The rows that do not differ and are in sections that edits divide, join or reorder, or that share
/// their title with another section: their old and new sections may not correspond.
private struct DividedSections {
  private(set) var pairs: [SparseChanges.Row] = []

  private static let maxRows = 4_096

  /// A section with the number of its rows that do not differ.
  private struct Part: Equatable {
    let title: Value
    let count: Int
  }

  /// - Returns: nil if there are more than ``maxRows`` such rows.
  /// - Complexity: O(sections + differing rows + `maxRows`).
  init?(old: Sections, new: Sections, _ difference: RowDifference) {
    let removed = difference.removed.map(\.position)
    let added = difference.added.map(\.position)
    let oldParts = Self.parts(of: old, without: removed)
    let newParts = Self.parts(of: new, without: added)
    var titles = old.sharedTitles.union(new.sharedTitles)
    if titles.isEmpty, oldParts == newParts { return }
    let start = zip(oldParts, newParts).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (oldParts[start...], newParts[start...])
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    titles.formUnion((oldRest.dropLast(end) + newRest.dropLast(end)).map(\.title))
    // The number of rows before a position that do not differ, and of those that were added before
    // the same row of the new content.
    var (unchanged, before) = (0, 0)
    var gone = removed[...]
    for section in 0..<old.count {
      let positions = old.positions(in: section)
      let isDivided = titles.contains(old.titles[section])
      let goneHere = gone.popPrefix { $0 < positions.upperBound }
      guard isDivided else {
        unchanged += positions.count - goneHere.count
        continue
      }
      guard pairs.count + positions.count - goneHere.count <= Self.maxRows else { return nil }
      var goneNext = goneHere
      for position in positions where goneNext.popPrefix(while: { $0 == position }).isEmpty {
        while before < added.count, added[before] <= unchanged + before { before += 1 }
        pairs.append(
          SparseChanges.Row(old: position, new: unchanged + before, isChanged: false))
        unchanged += 1
      }
    }
  }

  /// The sections that have rows without those at some positions, which ascend.
  private static func parts(of sections: Sections, without removed: [Int]) -> [Part] {
    var parts: [Part] = []
    var removed = removed[...]
    for section in 0..<sections.count {
      let positions = sections.positions(in: section)
      let gone = removed.popPrefix { $0 < positions.upperBound }
      if gone.count < positions.count {
        parts.append(Part(title: sections.titles[section], count: positions.count - gone.count))
      }
    }
    return parts
  }
}

/// The rows in which two contents with edits of one table differ.
private struct EditedObjects {
  private let rows: EditedRows
  private let difference: RowDifference

  init(_ rows: EditedRows, _ difference: RowDifference) {
    self.rows = rows
    self.difference = difference
  }

  private var removedRows: [Int] { difference.removed.map(\.row) }
  private var addedRows: [Int] { difference.added.map(\.row) }

  /// The k-th removed row of an object with the k-th added one, and the others alone.
  func pairs(id: ObjectKeyPath?, cancellation: Cancellation) throws -> [SparseChanges.Row] {
    let before = try rows.objects(at: removedRows)
    let after = try rows.objects(at: addedRows)
    var places: [Value: ArraySlice<Int>] = [:]
    for (place, object) in try identities(after, addedRows, id, cancellation).enumerated() {
      places[object, default: []].append(place)
    }
    var pairs: [SparseChanges.Row] = []
    var isPaired = [Bool](repeating: false, count: after.count)
    for (index, object) in try identities(before, removedRows, id, cancellation).enumerated() {
      let place = places[object]?.popFirst()
      if let place { isPaired[place] = true }
      pairs.append(
        SparseChanges.Row(
          old: difference.removed[index].position,
          new: place.map { difference.added[$0].position },
          isChanged: place.map { id != nil && before[index] != after[$0] } ?? true))
    }
    for place in after.indices where !isPaired[place] {
      pairs.append(SparseChanges.Row(old: nil, new: difference.added[place].position))
    }
    return pairs
  }

  /// The identities of rows: values of the `id`, or the objects themselves.
  private func identities(
    _ objects: [Value], _ rows: [Int], _ id: ObjectKeyPath?, _ cancellation: Cancellation
  ) throws -> [Value] {
    guard let id else { return objects }
    let values = try EditedValues(id, of: self.rows, cancellation: cancellation)
    return try rows.map { try values.value(at: $0) }
  }

  private static let maxCandidates = 4_096

  /// Whether other rows of the old order may be the same objects as rows that differ.
  func shareObjects(
    with order: RowOrder, id: ObjectKeyPath?, cancellation: Cancellation
  ) throws -> Bool {
    let differing = removedRows + addedRows
    let mask = RowMask(differing, of: rows.count)
    let wanted = Set(
      try identities(try rows.objects(at: differing), differing, id, cancellation))
    // Equal objects have equal values under each key.
    let keys = rows.base.keys.map { ObjectKeyPath(key: $0) }
    for path in id.map({ [$0] }) ?? (keys.isEmpty ? [ObjectKeyPath([])] : keys) {
      let values = id == nil ? Set(wanted.map { path.evaluate(on: $0) }) : wanted
      var candidates = try rows.rows(with: values, of: path, cancellation: cancellation)
      candidates.subtract(mask)
      if candidates.isEmpty { return false }
      // Removed rows, and those that edits replaced, are not in the order.
      let shown = order.positions(of: candidates).map { order[$0] }
      if shown.isEmpty { return false }
      if id != nil { return true }
      guard shown.count <= Self.maxCandidates else { continue }
      return try rows.objects(at: shown).contains { wanted.contains($0) }
    }
    return true
  }
}
