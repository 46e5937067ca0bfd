internal import DSInterpreter
internal import DataSources
internal import DataTables

/// Reads the objects of a listing, section by section in ascending order. Small sections of a store
/// that reads pages are read together.
final class ListingReader {
  private let listing: ObjectListing
  /// The objects of sections that were read before their turn.
  private var waiting: [Int: [Value]] = [:]
  private var store: any SnapshotStore { listing.snapshot.store }

  init(_ listing: ObjectListing) { self.listing = listing }

  /// Reads the first `limit` objects of `section` in batches.
  ///
  /// - Parameter limit: the maximum number of objects that are shown from here on.
  func forEachBatch(
    in section: Int, limit: Int = .max, _ body: (SectionRows) throws -> Void
  ) async throws {
    let count = min(store.numberOfObjects(in: section), limit)
    if waiting[section] == nil { try await readAhead(from: section, limit: limit) }
    if let objects = waiting.removeValue(forKey: section) {
      let objects = Array(objects.prefix(count))
      if !objects.isEmpty {
        try body(SectionRows(section: section, firstRow: 0, objects: objects))
      }
      return
    }
    for row in stride(from: 0, to: count, by: ObjectListing.batchSize) {
      let rows = row..<min(row + ObjectListing.batchSize, count)
      let objects = try await store.objects(in: section, rows: rows)
      try body(SectionRows(section: section, firstRow: row, objects: objects))
    }
  }

  /// Reads as many sections as fit into one batch, if these are several.
  private func readAhead(from first: Int, limit: Int) async throws {
    guard store.local == nil else { return }
    var ranges: [DataSources.SectionRows] = []
    var left = min(ObjectListing.batchSize, limit)
    for section in first..<max(first, listing.shownSections.upperBound) {
      let count = store.numberOfObjects(in: section)
      guard count <= left else { break }
      left -= count
      if count > 0 { ranges.append(DataSources.SectionRows(section: section, rows: 0..<count)) }
    }
    guard ranges.count > 1 else { return }
    var objects = try await store.objects(in: ranges)[...]
    for range in ranges {
      waiting[range.section] = Array(objects.prefix(range.rows.count))
      objects = objects.dropFirst(range.rows.count)
    }
  }
}
