/// Two tables as rows of the fewest tables that hold them: of one when both are the same table, or
/// edits of the same.
struct CommonRows {
  /// One or two.
  let tables: [any Table]
  /// The place of each row of the old and of the new table in ``tables``; nil for the row itself.
  private let oldRows: [Int]?
  private let newRows: [Int]?

  init(old: any Table, new: any Table) {
    if old === new {
      tables = [old]
      oldRows = nil
      newRows = nil
    } else if let pool = EditedTable.pool(of: old, new) {
      tables = [pool]
      oldRows = (old as? EditedTable)?.sourceRows
      newRows = (new as? EditedTable)?.sourceRows
    } else {
      tables = [old, new]
      oldRows = nil
      newRows = nil
    }
  }

  /// Whether two rows are one and the same, so that nothing needs to be compared.
  func isSame(old: Int, new: Int) -> Bool { tables.count == 1 && oldRow(old) == newRow(new) }

  func oldRow(_ row: Int) -> Int { oldRows?[row] ?? row }
  func newRow(_ row: Int) -> Int { newRows?[row] ?? row }
}
