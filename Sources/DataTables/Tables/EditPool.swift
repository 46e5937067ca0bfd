/// A table and the objects that edits add to it, also the new forms of updated objects.
///
/// Each object becomes a row behind the rows of the table and keeps its number, so that contents from
/// before and after an edit can be compared by row numbers, and an edit can be reverted without its
/// objects.
package struct EditPool: Sendable {
  /// Identifies the tables whose rows have the same numbers.
  final class Identity: Sendable {
    /// The columns of the table with the most edits that was asked for them.
    let columns = LatestColumns()
  }

  private var rows: EditedRows
  private let identity = Identity()
  /// For each added object, the row of the base that became it by updates; ``none`` for a new object.
  private var originals: [UInt32] = []
  private static let none = UInt32.max
  /// The keys of the base, then those that only added objects have.
  private var keys: [String]
  private var knownKeys: Set<String>
  /// The shape of the last record.
  private var shape: Record.Shape?

  package init(_ base: any Table) {
    rows = EditedRows(base)
    keys = base.keys
    knownKeys = Set(keys)
  }

  /// The row of the base that became an added row by updates; nil if an edit inserted the object.
  func original(of row: Int) -> Int? {
    let original = originals[row - base.count]
    return original == Self.none ? nil : Int(original)
  }

  /// The table as it was loaded.
  package var base: any Table { rows.base }
  var added: AddedObjects { rows.added }

  package func object(of row: Int) throws -> Value { try rows.object(at: row) }

  package func objects(of rows: [Int]) throws -> [Value] { try self.rows.objects(at: rows) }

  /// Adds objects and returns their rows.
  /// - Throws: `TableError.io` for more rows than row numbers.
  package mutating func add(_ objects: [Value]) throws -> Range<Int> {
    try add(objects, originals: repeatElement(Self.none, count: objects.count))
  }

  /// Adds the new forms of objects and returns their rows.
  ///
  /// - Parameter rows: the rows with the old forms.
  /// - Throws: `TableError.io` for more rows than row numbers.
  package mutating func add(_ objects: [Value], updating rows: [Int]) throws -> Range<Int> {
    try add(
      objects,
      originals: rows.map { row in
        row < base.count ? UInt32(truncatingIfNeeded: row) : originals[row - base.count]
      })
  }

  private mutating func add(
    _ objects: [Value], originals: some Sequence<UInt32>
  ) throws -> Range<Int> {
    let first = rows.count
    guard first + objects.count <= Int(UInt32.max) else {
      throw TableError.io("the table has too many rows")
    }
    rows.append(objects)
    self.originals += originals
    for case .record(let record) in objects {
      // Records mostly share their shape.
      if let shape, shape.storage === record.shape.storage { continue }
      shape = record.shape
      for key in record.keys where knownKeys.insert(key).inserted { keys.append(key) }
    }
    return first..<first + objects.count
  }

  /// The table of all rows, with `rows` as its current ones.
  package func table(_ rows: RowList) -> EditedTable {
    let order = rows.rows
    return EditedTable(self.rows, pool: identity, order: .rows(order), keys: keys(of: order))
  }

  /// The keys of the base, then those that only added objects among `rows` have: the key of an edit
  /// that was undone is not listed.
  ///
  /// - Complexity: O(1) if all objects have keys of the base, else O(rows).
  private func keys(of rows: [UInt32]) -> [String] {
    guard keys.count > base.keys.count else { return keys }
    var shown = Set(base.keys)
    var shape: Record.Shape?
    for row in rows where row >= base.count {
      guard case .record(let record) = added[Int(row) - base.count] else { continue }
      if let shape, shape.storage === record.shape.storage { continue }
      shape = record.shape
      shown.formUnion(record.keys)
    }
    return keys.filter(shown.contains)
  }
}
