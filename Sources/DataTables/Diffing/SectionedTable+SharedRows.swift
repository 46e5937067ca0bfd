// Changes between a table and its continuation, such as a log to which lines were appended.
extension SectionedTable {
  /// The changes to content that continues this content; nil if its first rows may differ.
  ///
  /// - Complexity: O(rows that are not shared).
  /// - Throws: the errors of ``changes(to:id:movesSections:cancellation:)``.
  func changesAfterSharedRows(
    to new: SectionedTable, id: ObjectKeyPath?, cancellation: Cancellation
  ) throws -> [Change]? {
    guard let shared = new.table.rowsShared(with: table), isFlat, new.isFlat,
      sections.titles == new.sections.titles, id.map(new.hasKey) ?? true
    else { return nil }
    if shared == order.count {
      return (shared..<new.order.count).map { .insert(IndexPath(section: 0, row: $0)) }
    }
    // Shared rows pair with themselves, so only the other rows are compared.
    do {
      return try rest(from: shared).changes(
        to: new.rest(from: shared), id: id, cancellation: cancellation
      ).map { $0.shifted(old: shared, new: shared) }
    } catch TableError.unknownKey {
      return nil
    }
  }

  /// Whether all rows of the table are in one section, in their order.
  var isFlat: Bool {
    guard case .natural(let count) = order else { return false }
    return count == table.count && sections.count == 1
  }

  /// Whether a record may have the first key of a path.
  private func hasKey(_ path: ObjectKeyPath) -> Bool {
    guard case .key(let key)? = path.steps.first else { return false }
    return table.keys.contains(key)
  }

  private func rest(from row: Int) throws -> SectionedTable {
    let objects = try table.objects(at: Array(row..<order.count))
    return SectionedTable(
      table: ValueTable(objects), order: .natural(objects.count),
      sections: Sections(offsets: [0, objects.count], titles: sections.titles))
  }
}

extension Change {
  /// The same change of rows that follow `old` other rows before, and `new` other rows now.
  func shifted(old: Int, new: Int) -> Change {
    func shifted(_ path: IndexPath, by rows: Int) -> IndexPath {
      IndexPath(section: path.section, row: path.row + rows)
    }
    return mapped(old: { shifted($0, by: old) }, new: { shifted($0, by: new) })
  }
}
