internal import DSInterpreter
internal import DataSources
internal import DataTables

/// The columns of objects: one a key, and one for objects that are no records where there are such.
struct ObjectColumns {
  let keys: [String]
  private let hasValues: Bool

  init(_ listing: ObjectListing) {
    let store = listing.snapshot.store
    keys = store.keys
    hasValues = keys.isEmpty || store.hasOtherObjects
  }

  /// What stands over the columns; the one of no key has a name that no key has.
  var names: [String] {
    guard hasValues else { return keys }
    var name = RowSet.valueColumn
    while keys.contains(name) { name = "_" + name }
    return keys + [name]
  }

  /// One value a column, nil where an object has none.
  func values(of object: Value) -> [Value?] {
    guard case .record(let record) = object, !keys.isEmpty else {
      return keys.map { _ in Value?.none } + (hasValues ? [object] : [])
    }
    // The records of a table share their keys, and equal storage compares at once.
    let values: [Value?] = record.keys == keys ? record.values : keys.map { record[$0] }
    return hasValues ? values + [nil] : values
  }
}
