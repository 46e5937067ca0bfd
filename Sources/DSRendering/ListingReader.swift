internal import DSInterpreter
internal import DataSources
internal import DataTables

/// Reads the objects of a listing, part by part in ascending order. Small sections of a store that
/// reads pages are read together.
final class ListingReader {
  private let excerpt: ListingExcerpt
  /// The objects of parts that were read before their turn.
  private var waiting: [Int: [Value]] = [:]
  private var store: any SnapshotStore { excerpt.listing.snapshot.store }

  /// The number of rows per read: large enough to amortize the call, small enough to limit memory.
  private static let batchSize = 1024

  init(_ excerpt: ListingExcerpt) { self.excerpt = excerpt }

  /// Reads the shown rows of a part in batches.
  func forEachBatch(ofPart index: Int, _ body: (SectionRows) throws -> Void) async throws {
    let part = excerpt.part(index)
    if waiting[index] == nil { try await readAhead(from: index) }
    if let objects = waiting.removeValue(forKey: index) {
      if !objects.isEmpty {
        try body(
          SectionRows(section: part.section, firstRow: part.rows.lowerBound, objects: objects))
      }
      return
    }
    let end = part.rows.upperBound
    for row in stride(from: part.rows.lowerBound, to: end, by: Self.batchSize) {
      let rows = row..<min(row + Self.batchSize, end)
      let objects = try await store.objects(in: part.section, rows: rows)
      try body(SectionRows(section: part.section, firstRow: row, objects: objects))
    }
  }

  /// Reads as many parts as fit into one batch, if these are several consecutive sections without
  /// rows that are not shown between them.
  private func readAhead(from first: Int) async throws {
    guard store.local == nil else { return }
    var ranges: [(part: Int, rows: DataSources.SectionRows)] = []
    var left = Self.batchSize
    var next: Int?
    for index in first..<excerpt.numberOfParts {
      let part = excerpt.part(index)
      guard part.rows.count <= left,
        next == nil || next == part.section && part.rows.lowerBound == 0
      else { break }
      left -= part.rows.count
      if !part.rows.isEmpty {
        ranges.append((index, DataSources.SectionRows(section: part.section, rows: part.rows)))
      }
      if part.hiddenRows > 0 { break }
      next = part.section + 1
    }
    guard ranges.count > 1 else { return }
    var objects = try await store.objects(in: ranges.map(\.rows))[...]
    for (part, range) in ranges {
      waiting[part] = Array(objects.prefix(range.rows.count))
      objects = objects.dropFirst(range.rows.count)
    }
  }

  /// Iterates over the parts with the titles of their sections, which are read in batches.
  func forEachPart(
    _ body: (_ index: Int, _ section: Int, _ title: Value) async throws -> Void
  ) async throws {
    var titles: [Value] = []
    var known = 0..<0
    for index in 0..<excerpt.numberOfParts {
      let section = excerpt.part(index).section
      if !known.contains(section) {
        known = section..<lastSection(from: index) + 1
        titles = try await store.titles(of: known)
      }
      let position = section - known.lowerBound
      try await body(index, section, position < titles.count ? titles[position] : .null)
    }
  }

  /// The last of the consecutive sections that begin at a part, at most a batch of them.
  private func lastSection(from first: Int) -> Int {
    var last = excerpt.part(first).section
    let start = last
    for index in first + 1..<max(first + 1, excerpt.numberOfParts) {
      guard excerpt.part(index).section == last + 1, last - start + 1 < Self.batchSize else {
        break
      }
      last += 1
    }
    return last
  }
}

/// Consecutive objects of one section.
struct SectionRows {
  let section: Int
  /// The row of the first object.
  let firstRow: Int
  let objects: [Value]
}
