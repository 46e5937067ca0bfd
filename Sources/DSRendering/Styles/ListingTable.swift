internal import DSInterpreter
internal import DataSources
internal import DataTables
internal import DisplayText

/// Objects for people: a table with a header of their keys, or rows with index paths below the titles
/// of their sections. Columns are aligned across the whole listing.
struct ListingTable {
  private let excerpt: ListingExcerpt
  private let terminal: TerminalTraits
  private let rules: ColumnLayout.Rules
  private let columns: ObjectColumns
  private var listing: ObjectListing { excerpt.listing }

  init(
    _ listing: ObjectListing, _ terminal: TerminalTraits, rules: ColumnLayout.Rules = .none
  ) {
    self.rules = rules
    excerpt = listing.excerpt(limit: terminal.rowLimit)
    self.terminal = terminal
    columns = ObjectColumns(listing.snapshot.store)
  }

  func render(_ write: (String) throws -> Void) async throws {
    let reader = ListingReader(excerpt)
    var page = ListingPage(
      header: header, isIndented: listing.showsIndexPaths, rules: rules, terminal: terminal)
    if listing.showsIndexPaths {
      try await reader.forEachPart { index, section, title in
        if let title = self.title(title) { page.append(title: title) }
        try await append(index, from: reader, to: &page, write)
      }
    } else {
      for index in 0..<excerpt.numberOfParts {
        try await append(index, from: reader, to: &page, write)
      }
    }
    try page.finish(write)
    try write(footer(hiddenColumns: columns.names.suffix(page.hiddenColumns)).text(terminal))
    if let placeholder = listing.placeholder {
      try write("  " + Paint(terminal).dim(placeholder.escapingControls()) + "\n")
    }
  }

  /// Appends the rows of a part, and a line about those that are not shown.
  private func append(
    _ index: Int, from reader: ListingReader, to page: inout ListingPage,
    _ write: (String) throws -> Void
  ) async throws {
    try await reader.forEachBatch(ofPart: index) { batch in
      for (row, object) in batch.objects.enumerated() {
        page.append(row: cells(object, at: (batch.section, batch.firstRow + row)))
      }
      if page.isFull { try page.flush(write) }
    }
    guard excerpt.countsRowsOfEachSection else { return }
    let part = excerpt.part(index)
    guard part.hiddenRows > 0 else { return }
    let command = excerpt.command(forRowsAfter: part)
    page.append(note: TableFooter(hiddenRows: part.hiddenRows, command: command))
  }

  private func footer(hiddenColumns: [String]) -> TableFooter {
    TableFooter(
      hiddenRows: excerpt.numberOfHiddenObjects,
      hiddenSections: listing.showsIndexPaths ? excerpt.hiddenSections : 0,
      command: excerpt.commandForRest, hiddenColumns: hiddenColumns)
  }

  private var header: [Cell]? {
    guard !columns.keys.isEmpty else { return nil }
    let names = columns.names.map { Cell($0.escapingControls(), role: .heading) }
    return listing.showsIndexPaths ? [Cell("", role: .indexPath)] + names : names
  }

  /// - Returns: nil for the one untitled section of a flat source.
  private func title(_ title: Value) -> Cell? {
    let text = title.text
    if text.isEmpty && listing.snapshot.store.numberOfSections == 1 { return nil }
    return Cell(text.isEmpty ? "\"\"" : text, role: .heading)
  }

  private func cells(_ object: Value, at place: (section: Int, row: Int)) -> [Cell] {
    let cells = columns.values(of: object).map { Cell($0, for: terminal) }
    guard listing.showsIndexPaths else { return cells }
    return [Cell("[\(place.section), \(place.row)]", role: .indexPath)] + cells
  }
}
