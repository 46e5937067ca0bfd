internal import DSInterpreter
internal import DataSources
internal import DataTables

/// Objects for people: under a header of their keys, or, with places, under the titles of their
/// sections, each after its index path. Columns are aligned over the whole listing.
struct ListingTable {
  private let listing: ObjectListing
  private let terminal: TerminalTraits
  private let columns: ObjectColumns

  init(_ listing: ObjectListing, _ terminal: TerminalTraits) {
    self.listing = listing
    self.terminal = terminal
    columns = ObjectColumns(listing)
  }

  func render(_ write: (String) throws -> Void) async throws {
    let store = listing.snapshot.store
    let sections = listing.shownSections
    var page = ListingPage(header: header, isIndented: listing.showsPlaces, terminal: terminal)
    var room = max(terminal.rowLimit ?? Int.max, 1)
    var shown = 0
    var next = sections.lowerBound
    while next < sections.upperBound && room > 0 {
      if listing.showsPlaces, let title = try await title(of: next) { page.append(title: title) }
      try await listing.forEachBatch(in: next, limit: room) { batch in
        for (row, object) in batch.objects.enumerated() {
          page.append(row: cells(object, at: (batch.section, batch.row + row)))
        }
        if page.isFull { try page.flush(write) }
      }
      let count = min(store.numberOfObjects(in: next), room)
      shown += count
      // A title alone takes room as well, so that many sections without objects come to an end.
      room -= listing.showsPlaces ? max(count, 1) : count
      next += 1
    }
    try page.flush(write)
    let ending = Ending(
      hiddenRows: listing.numberOfObjects - shown,
      hiddenSections: listing.showsPlaces ? sections.upperBound - next : 0,
      hiddenColumns: columns.names.suffix(page.hiddenColumns))
    try write(ending.text(terminal))
    if let placeholder = listing.placeholder {
      try write("  " + Paint(terminal).dim(placeholder.escapingControls()) + "\n")
    }
  }

  private var header: [Cell]? {
    guard !listing.showsPlaces && !columns.keys.isEmpty else { return nil }
    return columns.names.map { Cell($0.escapingControls(), role: .heading) }
  }

  /// - Returns: nil for the one section of a flat source that has no title.
  private func title(of section: Int) async throws -> Cell? {
    let titles = try await listing.snapshot.store.titles(of: section..<section + 1)
    let text = (titles.first ?? .null).text
    if text.isEmpty && listing.snapshot.store.numberOfSections == 1 { return nil }
    return Cell(text.isEmpty ? "\"\"" : text, role: .heading)
  }

  private func cells(_ object: Value, at place: (section: Int, row: Int)) -> [Cell] {
    let cells = columns.values(of: object).map { Cell($0) }
    guard listing.showsPlaces else { return cells }
    return [Cell("[\(place.section), \(place.row)]", role: .place)] + cells
  }
}
