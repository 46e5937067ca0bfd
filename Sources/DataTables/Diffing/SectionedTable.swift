/// Rows of a table in an order, cut into sections: one side of a comparison.
public struct SectionedTable: Sendable {
  public let table: any Table
  public let order: RowOrder
  public let sections: Sections

  /// - Precondition: the rows of `order` are rows of `table`, and `sections` ends with them.
  public init(table: any Table, order: RowOrder, sections: Sections) {
    self.table = table
    self.order = order
    self.sections = sections
  }

  /// The place of a position in the order.
  func path(_ position: Int) -> IndexPath {
    let section = sections.section(of: position)
    return IndexPath(section: section, row: position - sections.offsets[section])
  }
}

extension SectionedTable {
  /// The changes that lead from this content to `new`, in the order in which a table view takes
  /// them: sections that are deleted and inserted, each with its objects; deletes, inserts, moves
  /// and updates of objects.
  ///
  /// Rows shifted by others are not moved, and moves are as few as possible; among equal choices the
  /// objects that came first in the old order stay. An object that changes its section is moved. A
  /// section is its title and which of that title it is; sections in another order are deleted and
  /// inserted, their objects moved.
  /// - Parameter id: what tells that objects are the same, though they changed; without it they are
  ///   when they are equal. The k-th of equal ones is the k-th of the other content.
  /// - Complexity: O(rows) expected to find what is the same (times the keys without `id`), and
  ///   O(rows log rows) in the worst case for the fewest moves.
  /// - Throws: `TableError`: `unknownKey` when no object has the `id`; what reading a table throws.
  public func changes(
    to new: SectionedTable, id: ObjectKeyPath? = nil, cancellation: Cancellation = Cancellation()
  ) throws -> [Change] {
    if isIdentical(to: new) { return [] }
    let rows = CommonRows(old: self, new: new)
    let numbers = try RowClasses.numbers(of: rows.tables, id: id, cancellation: cancellation)
    guard let first = numbers.first, let last = numbers.last else { return [] }
    let pairing = ObjectPairing(
      old: rows.old.map { first[Int($0)] },
      new: rows.new.map { last[Int($0)] })
    try cancellation.check()
    let plan = ChangePlan(old: self, new: new, pairing: pairing)
    // Objects without an `id` are the same because they are equal.
    let updates =
      id == nil
      ? []
      : try RowComparison(rows, old: self, new: new)
        .changed(plan.unmoved, cancellation: cancellation)
    return plan.changes(updates: updates)
  }

  /// Whether both are the same rows in the same places.
  private func isIdentical(to new: SectionedTable) -> Bool {
    guard table === new.table, sections.offsets == new.sections.offsets,
      sections.titles == new.sections.titles
    else { return false }
    return switch (order, new.order) {
    case (.natural(let left), .natural(let right)): left == right
    case (.rows(let left), .rows(let right)): left == right
    default: false
    }
  }
}

/// Two contents as rows of the fewest tables that hold them: of one when both show the same table,
/// or edits of the same.
struct CommonRows {
  /// One or two.
  let tables: [any Table]
  /// For every position of the old content its row in the first table.
  let old: [UInt32]
  /// For every position of the new content its row in the last table.
  let new: [UInt32]

  init(old: SectionedTable, new: SectionedTable) {
    if old.table === new.table {
      tables = [old.table]
      self.old = old.order.rowNumbers()
      self.new = new.order.rowNumbers()
    } else if let pool = EditedTable.pool(of: old.table, new.table) {
      tables = [pool]
      self.old = old.order.rowNumbers((old.table as? EditedTable)?.sourceRows)
      self.new = new.order.rowNumbers((new.table as? EditedTable)?.sourceRows)
    } else {
      tables = [old.table, new.table]
      self.old = old.order.rowNumbers()
      self.new = new.order.rowNumbers()
    }
  }

  /// Whether two positions are one row, so that nothing needs to be compared.
  func isSame(old: Int, new: Int) -> Bool { tables.count == 1 && self.old[old] == self.new[new] }
}

extension RowOrder {
  /// The row at every position, or what `sources` has for it.
  fileprivate func rowNumbers(_ sources: [Int]? = nil) -> [UInt32] {
    switch (self, sources) {
    case (.natural(let count), nil): return (0..<count).map { UInt32(truncatingIfNeeded: $0) }
    case (.natural, let sources?): return sources.map { UInt32(truncatingIfNeeded: $0) }
    case (.rows(let rows), nil): return rows
    case (.rows(let rows), let sources?):
      return rows.map { UInt32(truncatingIfNeeded: sources[Int($0)]) }
    }
  }
}
