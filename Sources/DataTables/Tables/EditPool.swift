/// A table and the objects that edits add to it, also the new forms of updated objects.
///
/// Each object becomes a row behind the rows of the table and keeps its number, so that contents from
/// before and after an edit can be compared by row numbers, and an edit can be reverted without its
/// objects.
package struct EditPool: Sendable {
  /// Identifies the tables whose rows have the same numbers.
  final class Identity: Sendable {}

  /// The table as it was loaded.
  package let base: any Table
  private let identity = Identity()
  private(set) var added: [Value] = []
  /// The keys of the base, then those that only added objects have.
  private var keys: [String]
  /// The rows of the base that became added rows by updates.
  private(set) var originals: [Int: Int] = [:]

  package init(_ base: any Table) {
    self.base = base
    keys = base.keys
  }

  package func object(of row: Int) throws -> Value {
    try row < base.count ? base.object(at: row) : added[row - base.count]
  }

  package func objects(of rows: [Int]) throws -> [Value] {
    guard rows.contains(where: { $0 < base.count }) else {
      return rows.map { added[$0 - base.count] }
    }
    var inBase = try base.objects(at: rows.filter { $0 < base.count })[...]
    return rows.map { row in
      if row >= base.count { return added[row - base.count] }
      return inBase.popFirst() ?? .null
    }
  }

  /// Adds objects and returns their rows.
  /// - Throws: `TableError.io` for more rows than row numbers.
  package mutating func add(_ objects: [Value]) throws -> Range<Int> {
    let first = base.count + added.count
    guard first + objects.count <= Int(UInt32.max) else {
      throw TableError.io("the table has too many rows")
    }
    added += objects
    let known = Set(keys)
    keys += ValueTable(objects).keys.filter { !known.contains($0) }
    return first..<first + objects.count
  }

  /// Adds the new forms of objects and returns their rows.
  ///
  /// - Parameter rows: the rows with the old forms.
  /// - Throws: `TableError.io` for more rows than row numbers.
  package mutating func add(_ objects: [Value], updating rows: [Int]) throws -> Range<Int> {
    let added = try add(objects)
    for (new, row) in zip(added, rows) {
      originals[new] = row < base.count ? row : originals[row]
    }
    return added
  }

  /// The table of all rows, with `rows` as its current ones.
  package func table(_ rows: RowList) -> EditedTable {
    EditedTable(base: base, added: added, pool: identity, order: .rows(rows.rows), keys: keys)
  }
}
