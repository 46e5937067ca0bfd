package import DataSources
package import DataTables

/// The columns of objects: one per key, and one more if some objects are not records.
package struct ObjectColumns {
  package let keys: [String]
  private let hasValues: Bool

  package init(_ store: any SnapshotStore) {
    keys = store.keys
    hasValues = keys.isEmpty || store.hasOtherObjects
  }

  /// The headers of the columns. The column of objects that are not records has a name that differs
  /// from all keys.
  package var names: [String] {
    guard hasValues else { return keys }
    var name = RowSet.valueColumn
    while keys.contains(name) { name = "_" + name }
    return keys + [name]
  }

  /// One value per column, nil where an object has none.
  package func values(of object: Value) -> [Value?] {
    guard case .record(let record) = object, !keys.isEmpty else {
      return keys.map { _ in Value?.none } + (hasValues ? [object] : [])
    }
    // The records of a table share the storage of their keys, which makes the comparison O(1).
    let values: [Value?] = record.keys == keys ? record.values : keys.map { record[$0] }
    return hasValues ? values + [nil] : values
  }
}
