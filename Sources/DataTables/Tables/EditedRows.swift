/// The rows of a table, then the objects that edits added to it.
struct EditedRows: Sendable {
  /// The table that was edited.
  let base: any Table
  /// The added objects, including those that were removed again.
  private(set) var added = AddedObjects()

  init(_ base: any Table) { self.base = base }

  /// The rows that two tables share under the same numbers: those of a table before and after edits.
  /// nil if the same number may be another object in each table.
  init?(shared old: any Table, _ new: any Table) {
    switch EditedTable.pool(of: old, new) {
    case let edited as EditedTable: self = edited.rows
    case let table?: self.init(table)
    case nil: return nil
    }
  }

  var count: Int { base.count + added.count }

  mutating func append(_ objects: [Value]) { added.append(objects) }

  func object(at row: Int) throws -> Value {
    try row < base.count ? base.object(at: row) : added[row - base.count]
  }

  func objects(at rows: [Int]) throws -> [Value] {
    guard rows.contains(where: { $0 < base.count }) else {
      return rows.map { added[$0 - base.count] }
    }
    var inBase = try base.objects(at: rows.filter { $0 < base.count })[...]
    return rows.map { row in
      if row >= base.count { return added[row - base.count] }
      return inBase.popFirst() ?? .null
    }
  }
}
