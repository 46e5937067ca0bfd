/// How rows are selected, sorted and split into sections.
package struct Arrangement: Sendable {
  let predicate: Predicate?
  let sort: [SortDescriptor]
  let sections: SectionKey?
  let cancellation: Cancellation

  /// A key by which sorted rows are split into sections.
  package struct SectionKey: Sendable {
    let path: ObjectKeyPath
    let mode: SectionMode
    let settings: SectionSettings

    package init(_ path: ObjectKeyPath, _ mode: SectionMode, _ settings: SectionSettings) {
      self.path = path
      self.mode = mode
      self.settings = settings
    }
  }

  /// - Parameter sections: nil for one section, titled "".
  package init(
    where predicate: Predicate?, sort: [SortDescriptor], sections: SectionKey?,
    cancellation: Cancellation
  ) {
    self.predicate = predicate
    self.sort = sort
    self.sections = sections
    self.cancellation = cancellation
  }

  /// The arrangement of edited rows, made from that of the rows before the edit: only rows that
  /// differ are read, and compared with few others.
  ///
  /// - Parameters:
  ///   - old: the arrangement of `input`, with the same predicate, sort and sections.
  ///   - input: the rows of `old.table` before the edit.
  ///   - order: the rows of `table`, which are those after the edit.
  /// - Returns: the arrangement of all rows; nil if it must be computed from all rows.
  /// - Throws: the errors of reading rows, ``TableError/cancelled``.
  /// - Complexity: O(rows) reads and copies of row numbers; O(changed rows · log rows) comparisons.
  package func updating(
    _ old: SectionedTable, of input: RowOrder, to table: any Table, _ order: RowOrder
  ) throws -> SectionedRows? {
    // Without objects, no key is unknown.
    guard input.count > 0, order.count > 0, let rows = EditedRows(shared: old.table, table),
      let difference = RowDifference(from: input, to: order)
    else { return nil }
    do {
      let replaced = try ReplacedRows(difference, rows, by: self)
      // All rows are sorted in less time than many are placed one by one.
      let most = max(4_096, order.count / 64)
      guard replaced.added.count <= most, replaced.removed.count <= most else { return nil }
      var update = try ArrangementUpdate(self, old, of: input, rows, replaced)
      return try update.arranged()
    } catch TableError.unknownKey {
      // Only an added object has the key.
      return nil
    }
  }
}
