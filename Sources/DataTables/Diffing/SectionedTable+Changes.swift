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
        .changed(plan.staying, cancellation: cancellation)
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
