/// A table and the objects that edits add to it, also the new forms of updated objects.
///
/// Each object becomes a row behind the rows of the table and keeps its number, so that contents from
/// before and after an edit can be compared by row numbers, and an edit can be reverted without its
/// objects.
package struct EditPool: Sendable {
  /// Identifies the tables whose rows have the same numbers.
  final class Identity: Sendable {}

  private var rows: EditedRows
  private let identity = Identity()
  /// The keys of the base, then those that only added objects have.
  private var keys: [String]
  /// The rows of the base that became added rows by updates.
  private(set) var originals: [Int: Int] = [:]

  package init(_ base: any Table) {
    rows = EditedRows(base)
    keys = base.keys
  }

  /// The table as it was loaded.
  package var base: any Table { rows.base }
  var added: [Value] { rows.added }

  package func object(of row: Int) throws -> Value { try rows.object(at: row) }

  package func objects(of rows: [Int]) throws -> [Value] { try self.rows.objects(at: rows) }

  /// Adds objects and returns their rows.
  /// - Throws: `TableError.io` for more rows than row numbers.
  package mutating func add(_ objects: [Value]) throws -> Range<Int> {
    let first = rows.count
    guard first + objects.count <= Int(UInt32.max) else {
      throw TableError.io("the table has too many rows")
    }
    rows.append(objects)
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
    EditedTable(self.rows, pool: identity, order: .rows(rows.rows), keys: keys)
  }
}
