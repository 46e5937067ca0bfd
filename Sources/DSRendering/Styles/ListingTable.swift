internal import DSInterpreter
internal import DataSources
internal import DataTables

/// Objects for people: a table with a header of their keys, or rows with index paths below the titles
/// of their sections. Columns are aligned across the whole listing.
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
    let reader = ListingReader(listing)
    var page = ListingPage(header: header, isIndented: listing.showsIndexPaths, terminal: terminal)
    var remaining = max(terminal.rowLimit ?? Int.max, 1)
    var shown = 0
    var next = sections.lowerBound
    while next < sections.upperBound && remaining > 0 {
      if listing.showsIndexPaths, let title = try await title(of: next) {
        page.append(title: title)
      }
      try await reader.forEachBatch(in: next, limit: remaining) { batch in
        for (row, object) in batch.objects.enumerated() {
          page.append(row: cells(object, at: (batch.section, batch.firstRow + row)))
        }
        if page.isFull { try page.flush(write) }
      }
      let count = min(store.numberOfObjects(in: next), remaining)
      shown += count
      // A section without objects counts as one row, which bounds the output of many such sections.
      remaining -= listing.showsIndexPaths ? max(count, 1) : count
      next += 1
    }
    try page.flush(write)
    let footer = TableFooter(
      hiddenRows: listing.numberOfObjects - shown,
      hiddenSections: listing.showsIndexPaths ? sections.upperBound - next : 0,
      hiddenColumns: columns.names.suffix(page.hiddenColumns))
    try write(footer.text(terminal))
    if let placeholder = listing.placeholder {
      try write("  " + Paint(terminal).dim(placeholder.escapingControls()) + "\n")
    }
  }

  private var header: [Cell]? {
    guard !listing.showsIndexPaths && !columns.keys.isEmpty else { return nil }
    return columns.names.map { Cell($0.escapingControls(), role: .heading) }
  }

  /// - Returns: nil for the one untitled section of a flat source.
  private func title(of section: Int) async throws -> Cell? {
    let titles = try await listing.snapshot.store.titles(of: section..<section + 1)
    let text = (titles.first ?? .null).text
    if text.isEmpty && listing.snapshot.store.numberOfSections == 1 { return nil }
    return Cell(text.isEmpty ? "\"\"" : text, role: .heading)
  }

  private func cells(_ object: Value, at place: (section: Int, row: Int)) -> [Cell] {
    let cells = columns.values(of: object).map { Cell($0) }
    guard listing.showsIndexPaths else { return cells }
    return [Cell("[\(place.section), \(place.row)]", role: .indexPath)] + cells
  }
}

/// Lines that are collected, aligned and written together.
///
/// The first page determines the column widths; a listing with a row limit has only one page.
private struct ListingPage {
  private enum Line {
    case title(Cell)
    case row([Cell])
  }
  private var lines: [Line] = []
  private var layout: ColumnLayout?
  private let header: [Cell]?
  private let indent: String
  private let terminal: TerminalTraits

  init(header: [Cell]?, isIndented: Bool, terminal: TerminalTraits) {
    self.header = header
    indent = isIndented ? "  " : ""
    self.terminal = terminal
  }

  var isFull: Bool { lines.count >= 1024 }
  /// The number of columns at the end that did not fit.
  var hiddenColumns: Int { layout.map { $0.widths.count - $0.fitting.count } ?? 0 }

  mutating func append(title: Cell) { lines.append(.title(title)) }
  mutating func append(row: [Cell]) { lines.append(.row(row)) }

  mutating func flush(_ write: (String) throws -> Void) throws {
    var text = ""
    let paint = Paint(terminal)
    if layout == nil, let header { lines.insert(.row(header), at: 0) }
    let layout = self.layout ?? measured()
    self.layout = layout
    for line in lines {
      switch line {
      case .title(let title):
        text += title.shown(in: terminal.width ?? title.width, paint: paint) + "\n"
      case .row(let cells): text += indent + layout.line(cells, paint: paint) + "\n"
      }
    }
    lines.removeAll(keepingCapacity: true)
    try write(text)
  }

  private func measured() -> ColumnLayout {
    let rows = lines.compactMap { line in
      if case .row(let cells) = line { cells } else { nil }
    }
    return ColumnLayout(
      header: header, rows: rows, available: terminal.width.map { $0 - indent.utf8.count })
  }
}
