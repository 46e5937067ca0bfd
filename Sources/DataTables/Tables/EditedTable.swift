import Synchronization

/// A table whose rows were edited: the rows of another table, then all objects that edits added.
/// ``order`` has the rows that are left.
///
/// A row has the same number in all tables that follow from the same edits, so that a wrapper's order
/// of the rows that were not edited remains valid.
///
/// Sorts and sections may read the keys of the base and of all edits, even if the last object with a
/// key is removed: they continue with nulls, whereas a table of the remaining rows would reject the
/// key. ``keys`` lists only those of the base and of the remaining objects.
public final class EditedTable: Table {
  /// All rows; the base is never an edited table itself.
  let rows: EditedRows
  /// The rows that are objects of the edited source, in order.
  public let order: RowOrder
  public let keys: [String]
  private let pool: EditPool.Identity
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  init(
    _ rows: EditedRows, pool: EditPool.Identity, order: RowOrder, keys: [String]
  ) {
    self.rows = rows
    self.pool = pool
    self.order = order
    self.keys = keys
  }

  /// A table that has all rows of both tables under the same numbers: the one with more rows. Each is
  /// a table with edits, or the table that was edited. nil if the same number may be another object.
  static func pool(of old: any Table, _ new: any Table) -> (any Table)? {
    if old === new { return old }
    switch (old as? EditedTable, new as? EditedTable) {
    case (let old?, let new?):
      guard old.pool === new.pool else { return nil }
      return old.added.count > new.added.count ? old : new
    case (let old?, nil): return old.base === new ? old : nil
    case (nil, let new?): return new.base === old ? new : nil
    case (nil, nil): return nil
    }
  }

  /// Whether the rows that two tables share have the same numbers.
  package static func haveSameRows(_ table: any Table, _ other: any Table) -> Bool {
    pool(of: table, other) != nil
  }

  public var count: Int { rows.count }
  public var base: any Table { rows.base }
  var added: AddedObjects { rows.added }

  public func objects(at rows: [Int]) throws -> [Value] { try self.rows.objects(at: rows) }

  public func object(at row: Int) throws -> Value { try rows.object(at: row) }

  public func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    if let column = columns.withLock({ $0[path] }) { return column }
    let column = try pool.columns.column(path, of: self, cancellation: cancellation)
    columns.withLock { $0[path] = column }
    return column
  }

  public func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? { columns.withLock { $0[path] } }

  public func release(_ paths: [ObjectKeyPath]) {
    columns.withLock { $0 = $0.filter { !paths.includeBase(of: $0.key) } }
    pool.columns.release(paths)
    base.release(paths)
  }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    let known = base.keys
    try base.decode(
      paths.filter { path in
        guard case .key(let key)? = path.steps.first else { return false }
        return known.contains(key)
      }, cancellation: cancellation)
  }

  public func line(of row: Int) throws -> Int? {
    row < base.count ? try base.line(of: row) : nil
  }

  public var typeChanges: [TypeChange] { base.typeChanges }

  /// - Complexity: O(rows).
  public var hasOtherRows: Bool {
    // As long as any row of the base remains, the removed rows of the base count too, because only
    // a read could check the remaining rows.
    var hasBase = false
    for position in 0..<order.count {
      let row = order[position]
      if row < base.count {
        hasBase = true
        continue
      }
      if case .record = added[row - base.count] { continue }
      return true
    }
    return hasBase && base.hasOtherRows
  }

  public var hasUniformRows: Bool {
    guard base.hasUniformRows, !added.isEmpty else { return base.hasUniformRows }
    let objects = ValueTable(Array(added))
    return objects.hasUniformRows && Set(objects.keys) == Set(base.keys)
  }
}
