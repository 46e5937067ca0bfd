internal import DSInterpreter
internal import DataSources
internal import DataTables

/// Objects of one section that stand one after another.
struct ObjectBatch {
  let section: Int
  /// The row of the first one.
  let row: Int
  let objects: [Value]
}

extension ObjectListing {
  /// Rows that are read at once: enough to make a read worth its call, few enough to forget.
  static var batchSize: Int { 1024 }

  /// The sections that the snapshot really has.
  var shownSections: Range<Int> { sections.clamped(to: 0..<snapshot.store.numberOfSections) }

  var numberOfObjects: Int {
    let store = snapshot.store
    if shownSections.count == store.numberOfSections { return store.numberOfObjects }
    return shownSections.reduce(0) { $0 + store.numberOfObjects(in: $1) }
  }

  /// Reads the first `limit` objects of `section` and hands them over batch by batch.
  func forEachBatch(
    in section: Int, limit: Int = .max, _ body: (ObjectBatch) throws -> Void
  ) async throws {
    let count = min(snapshot.store.numberOfObjects(in: section), limit)
    for row in stride(from: 0, to: count, by: Self.batchSize) {
      let rows = row..<min(row + Self.batchSize, count)
      let objects = try await snapshot.store.objects(in: section, rows: rows)
      try body(ObjectBatch(section: section, row: row, objects: objects))
    }
  }

  /// Goes through the sections with their titles, which are read many at a time.
  func forEachSection(_ body: (_ section: Int, _ title: Value) async throws -> Void) async throws {
    let sections = shownSections
    for first in stride(from: sections.lowerBound, to: sections.upperBound, by: Self.batchSize) {
      let range = first..<min(first + Self.batchSize, sections.upperBound)
      let titles = try await snapshot.store.titles(of: range)
      for (section, title) in zip(range, titles) { try await body(section, title) }
    }
  }
}
