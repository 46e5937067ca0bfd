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
