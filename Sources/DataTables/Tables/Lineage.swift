import Synchronization

/// Identifies a table, and the table that it continues: the two share their first rows.
///
/// Changes between a table and its continuation are found by comparing the other rows.
public struct Lineage: Sendable {
  private let number: UInt64
  private let earlier: UInt64?
  private let sharedRows: Int
  /// The number of type changes of the earlier table when it was continued.
  private let typeChanges: Int

  /// Numbers are never reused, unlike the addresses of tables.
  private static let last = Atomic<UInt64>(0)

  /// A table that continues no other.
  init() { self.init(earlier: nil, sharedRows: 0, typeChanges: 0) }

  /// A table whose first `sharedRows` rows are those of `earlier`.
  init(continuing earlier: any Table, sharedRows: Int) {
    self.init(
      earlier: earlier.lineage?.number, sharedRows: sharedRows,
      typeChanges: earlier.typeChanges.count)
  }

  private init(earlier: UInt64?, sharedRows: Int, typeChanges: Int) {
    self.typeChanges = typeChanges
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
    self.earlier = earlier
    self.sharedRows = sharedRows
  }

  /// The number of rows shared with `other`; nil if the table does not continue `other`, or if the
  /// type of a column has changed since.
  fileprivate func rowsShared(with other: any Table) -> Int? {
    guard let earlier, other.lineage?.number == earlier, other.typeChanges.count == typeChanges
    else { return nil }
    return sharedRows
  }
}

extension Table {
  /// The number of first rows that this table shares with an earlier one; nil if unknown.
  package func rowsShared(with earlier: any Table) -> Int? {
    typeChanges.isEmpty ? lineage?.rowsShared(with: earlier) : nil
  }
}
