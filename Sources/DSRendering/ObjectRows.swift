internal import DSInterpreter
internal import DataSources
internal import DataTables

/// Consecutive objects of one section.
struct SectionRows {
  let section: Int
  /// The row of the first object.
  let firstRow: Int
  let objects: [Value]
}

extension ObjectListing {
  /// The number of rows per read: large enough to amortize the call, small enough to limit memory.
  static var batchSize: Int { 1024 }

  /// The listed sections that exist in the snapshot.
  var shownSections: Range<Int> { sections.clamped(to: 0..<snapshot.store.numberOfSections) }

  var numberOfObjects: Int {
    let store = snapshot.store
    if shownSections.count == store.numberOfSections { return store.numberOfObjects }
    return shownSections.reduce(0) { $0 + store.numberOfObjects(in: $1) }
  }

  /// Iterates over the sections with their titles, which are read in batches.
  func forEachSection(_ body: (_ section: Int, _ title: Value) async throws -> Void) async throws {
    let sections = shownSections
    for first in stride(from: sections.lowerBound, to: sections.upperBound, by: Self.batchSize) {
      let range = first..<min(first + Self.batchSize, sections.upperBound)
      let titles = try await snapshot.store.titles(of: range)
      for (section, title) in zip(range, titles) { try await body(section, title) }
    }
  }
}

/// The columns of objects: one per key, and one more if some objects are not records.
struct ObjectColumns {
  let keys: [String]
  private let hasValues: Bool

  init(_ listing: ObjectListing) {
    let store = listing.snapshot.store
    keys = store.keys
    hasValues = keys.isEmpty || store.hasOtherObjects
  }

  /// The headers of the columns. The column of objects that are not records has a name that differs
  /// from all keys.
  var names: [String] {
    guard hasValues else { return keys }
    var name = RowSet.valueColumn
    while keys.contains(name) { name = "_" + name }
    return keys + [name]
  }

  /// One value per column, nil where an object has none.
  func values(of object: Value) -> [Value?] {
    guard case .record(let record) = object, !keys.isEmpty else {
      return keys.map { _ in Value?.none } + (hasValues ? [object] : [])
    }
    // The records of a table share the storage of their keys, which makes the comparison O(1).
    let values: [Value?] = record.keys == keys ? record.values : keys.map { record[$0] }
    return hasValues ? values + [nil] : values
  }
}
