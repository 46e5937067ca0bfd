/// The rows of a table in an order and in sections: the old or the new content that
/// ``changes(to:id:movesSections:cancellation:)`` compares.
public struct SectionedTable: Sendable {
  public let table: any Table
  public let order: RowOrder
  public let sections: Sections

  /// - Precondition: the rows of `order` are rows of `table`, and the last offset of `sections` is
  ///   `order.count`.
  public init(table: any Table, order: RowOrder, sections: Sections) {
    self.table = table
    self.order = order
    self.sections = sections
  }

  /// The index path of a position in the order.
  func path(_ position: Int) -> IndexPath {
    let section = sections.section(of: position)
    return IndexPath(section: section, row: position - sections.offsets[section])
  }

  /// The changes from this content to `new`, in the order that table views expect: deleted and
  /// inserted sections, each with its objects; then deletions, insertions, moves and updates of
  /// objects.
  ///
  /// Rows that only shift are not moved. The number of moves is minimal; among equal choices, the
  /// objects that did not change do not move, then the first ones of the old order. An object that
  /// changes its section is moved. The k-th section with a title corresponds to the k-th section
  /// with that title in the new content.
  ///
  /// - Parameters:
  ///   - id: the key path that identifies an object even if it has changed; nil identifies objects
  ///     by equality. The k-th of several objects with the same identity corresponds to the k-th
  ///     such object in the new content.
  ///   - movesSections: whether sections in another order are moved, as few as possible; otherwise
  ///     they are deleted and inserted, and their objects moved.
  /// - Complexity: O(rows) expected to pair the objects, times the number of keys without an `id`;
  ///   O(rows log rows) in the worst case to find the fewest moves.
  /// - Throws: `TableError`: `unknownKey` if no object has the `id`; the errors of reading a table.
  public func changes(
    to new: SectionedTable, id: ObjectKeyPath? = nil, movesSections: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) throws -> [Change] {
    if isIdentical(to: new) { return [] }
    if let changes = try changesAfterSharedRows(to: new, id: id, cancellation: cancellation) {
      return changes
    }
    if let changes = try changesAfterEdits(
      to: new, id: id, movesSections: movesSections, cancellation: cancellation)
    {
      return changes
    }
    if let changes = try changesOfFiles(to: new, id: id, cancellation: cancellation) {
      return changes
    }
    let rows = CommonRows(old: self, new: new)
    let pairing = try pairing(rows, to: new, id: id, cancellation: cancellation)
    try cancellation.check()
    // Without an `id`, paired objects are equal.
    let isChanged =
      id == nil
      ? nil
      : try RowComparison(rows, old: self, new: new).changed(pairing, cancellation: cancellation)
    return ChangePlan(
      old: self, new: new, pairing: pairing, isChanged: isChanged, movesSections: movesSections
    ).changes
  }

  private func pairing(
    _ rows: CommonRows, to new: SectionedTable, id: ObjectKeyPath?, cancellation: Cancellation
  ) throws -> ObjectPairing {
    if id == nil, new.table !== table, rows.areOldRowsKept {
      return ObjectPairing(old: rows.old, new: rows.new)
    }
    let numbers = try RowClasses.numbers(of: rows.tables, id: id, cancellation: cancellation)
    guard let first = numbers.first, let last = numbers.last else {
      return ObjectPairing(old: [], new: [])
    }
    return ObjectPairing(
      old: rows.old.map { first[Int($0)] }, new: rows.new.map { last[Int($0)] })
  }

  /// Whether both contents have the same rows of one table in the same order and the same sections.
  package func isIdentical(to new: SectionedTable) -> Bool {
    table === new.table && sections.offsets == new.sections.offsets
      && sections.titles == new.sections.titles && order.isIdentical(to: new.order)
  }
}

/// The rows of the old and the new content. They are rows of one table if both contents show the
/// same table or edits of the same table, or if the new table continues the old one; otherwise they
/// are rows of two tables.
struct CommonRows {
  /// One table or two.
  let tables: [any Table]
  /// For each position of the old order, its row in the first table.
  let old: [UInt32]
  /// For each position of the new order, its row in the last table.
  let new: [UInt32]
  /// The number of rows of a table that the new one continues; nil otherwise.
  private let continued: UInt32?

  init(old: SectionedTable, new: SectionedTable) {
    let isContinued = new.table.rowsShared(with: old.table) == old.table.count
    continued = isContinued ? UInt32(exactly: old.table.count) : nil
    if old.table === new.table {
      tables = [old.table]
      self.old = old.order.listed()
      self.new = new.order.listed()
    } else if let pool = EditedTable.pool(of: old.table, new.table) {
      tables = [pool]
      self.old = old.order.listed()
      self.new = new.order.listed()
    } else if isContinued {
      tables = [new.table]
      self.old = old.order.listed()
      self.new = new.order.listed()
    } else {
      tables = [old.table, new.table]
      self.old = old.order.listed()
      self.new = new.order.listed()
    }
  }

  /// Whether the new content adds rows of a continued table and keeps all others in their order. If
  /// so, each old row pairs with itself: a stable sort puts an equal row that was added after it.
  var areOldRowsKept: Bool {
    guard let continued else { return false }
    return new.lazy.filter { $0 < continued }.elementsEqual(old)
  }

  /// Whether two positions are the same row, so that their objects need not be compared.
  func isSame(old: Int, new: Int) -> Bool { tables.count == 1 && self.old[old] == self.new[new] }
}
