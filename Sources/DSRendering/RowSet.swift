internal import DSInterpreter
internal import DataSources
internal import DataTables

/// An output as rows with a header, for styles that write tables or lists of records.
struct RowSet {
  let columns: [String]
  /// The rows that are left out.
  let footer: TableFooter
  private let content: Content

  private enum Content {
    case rows([[Value?]])
    case listing(ListingExcerpt)
  }

  private init(columns: [String], content: Content, footer: TableFooter = TableFooter()) {
    self.columns = columns
    self.content = content
    self.footer = footer
  }

  /// The header of the column of values that are not records.
  static let valueColumn = "value"

  /// - Parameter limit: the maximum number of rows; nil for all.
  /// - Returns: nil for an empty output.
  init?(_ output: Output, for audience: Grid.Column.Audience, limit: Int? = nil) {
    switch output.content {
    case .none: return nil
    case .value(let value), .object(let value): self.init([value])
    case .list(let values): self.init(cells: values, limit: limit)
    case .report(let report): self.init([.record(report.data)])
    case .grid(let grid), .picture(_, rows: let grid, _):
      self.init(grid, for: audience, limit: limit)
    case .objects(let listing): self.init(listing.excerpt(limit: limit))
    case .text(_, .array(let elements)): self.init(elements)
    case .text(_, let data): self.init([data])
    }
  }

  private init(_ values: [Value]) {
    var keys: [String] = []
    var known: Set<String> = []
    let records = values.compactMap { value in
      if case .record(let record) = value { record } else { nil }
    }
    for record in records { keys += record.keys.filter { known.insert($0).inserted } }
    guard records.count == values.count, !keys.isEmpty else {
      self.init(cells: values, limit: nil)
      return
    }
    self.init(
      columns: keys, content: .rows(records.map { record in keys.map { record[$0] } }))
  }

  private init(cells: [Value], limit: Int?) {
    let shown = cells.prefix(limit ?? cells.count)
    self.init(
      columns: [Self.valueColumn], content: .rows(shown.map { [$0] }),
      footer: TableFooter(hiddenRows: cells.count - shown.count))
  }

  private init(_ grid: Grid, for audience: Grid.Column.Audience, limit: Int?) {
    let columns = grid.shownColumns(for: audience)
    let shown = grid.rows.prefix(limit ?? grid.rows.count)
    self.init(
      columns: columns.map {
        audience == .people ? grid.columns[$0].header : grid.columns[$0].key
      },
      content: .rows(shown.map { row in columns.map { $0 < row.count ? row[$0] : Value?.none } }),
      footer: TableFooter(hiddenRows: grid.rows.count - shown.count))
  }

  private init(_ excerpt: ListingExcerpt) {
    let listing = excerpt.listing
    let indexColumns = listing.showsIndexPaths ? ["section", "row", "title"] : []
    var footer = TableFooter(hiddenRows: listing.numberOfObjects - excerpt.numberOfObjects)
    if !excerpt.countsRowsOfEachSection { footer.command = excerpt.commandForRest }
    self.init(
      columns: indexColumns + ObjectColumns(listing.snapshot.store).names,
      content: .listing(excerpt),
      footer: footer)
  }

  /// Iterates over the rows in batches: one value per column, nil where an object lacks the key.
  func forEachBatch(_ body: ([[Value?]]) throws -> Void) async throws {
    switch content {
    case .rows(let rows): try body(rows)
    case .listing(let excerpt):
      let columns = ObjectColumns(excerpt.listing.snapshot.store)
      let reader = ListingReader(excerpt)
      guard excerpt.listing.showsIndexPaths else {
        for index in 0..<excerpt.numberOfParts {
          try await reader.forEachBatch(ofPart: index) { batch in
            try body(Self.rows(batch, title: nil, columns))
          }
        }
        return
      }
      try await reader.forEachPart { index, _, title in
        try await reader.forEachBatch(ofPart: index) { batch in
          try body(Self.rows(batch, title: title, columns))
        }
      }
    }
  }

  private static func rows(
    _ batch: SectionRows, title: Value?, _ columns: ObjectColumns
  ) -> [[Value?]] {
    batch.objects.enumerated().map { position, object in
      let row = columns.values(of: object)
      guard let title else { return row }
      return [.integer(batch.section), .integer(batch.firstRow + position), title] + row
    }
  }
}

extension Grid {
  func shownColumns(for audience: Column.Audience) -> [Int] {
    columns.indices.filter {
      columns[$0].audience == .all || columns[$0].audience == audience
    }
  }
}
