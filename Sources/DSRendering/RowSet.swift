internal import DSInterpreter
internal import DataSources
internal import DataTables

/// An output as rows with a header, for styles that write tables or lists of records.
struct RowSet {
  let columns: [String]
  private let content: Content

  private enum Content {
    case rows([[Value?]])
    case listing(ObjectListing)
  }

  private init(columns: [String], content: Content) {
    self.columns = columns
    self.content = content
  }

  /// The header of the column of values that are not records.
  static let valueColumn = "value"

  /// - Returns: nil for an empty output.
  init?(_ output: Output, for audience: Grid.Column.Audience) {
    switch output.content {
    case .none: return nil
    case .value(let value), .object(let value): self.init([value])
    case .list(let values): self.init(cells: values)
    case .report(let report): self.init([.record(report.data)])
    case .grid(let grid): self.init(grid, for: audience)
    case .objects(let listing): self.init(listing)
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
      self.init(cells: values)
      return
    }
    self.init(
      columns: keys, content: .rows(records.map { record in keys.map { record[$0] } }))
  }

  private init(cells: [Value]) {
    self.init(columns: [Self.valueColumn], content: .rows(cells.map { [$0] }))
  }

  private init(_ grid: Grid, for audience: Grid.Column.Audience) {
    let shown = grid.shownColumns(for: audience)
    self.init(
      columns: shown.map { audience == .people ? grid.columns[$0].header : grid.columns[$0].key },
      content: .rows(grid.rows.map { row in shown.map { $0 < row.count ? row[$0] : Value?.none } }))
  }

  private init(_ listing: ObjectListing) {
    let indexColumns = listing.showsIndexPaths ? ["section", "row", "title"] : []
    self.init(columns: indexColumns + ObjectColumns(listing).names, content: .listing(listing))
  }

  /// Iterates over the rows in batches: one value per column, nil where an object lacks the key.
  func forEachBatch(_ body: ([[Value?]]) throws -> Void) async throws {
    switch content {
    case .rows(let rows): try body(rows)
    case .listing(let listing):
      let columns = ObjectColumns(listing)
      let reader = ListingReader(listing)
      try await listing.forEachSection { section, title in
        try await reader.forEachBatch(in: section) { batch in
          try body(Self.rows(batch, title: listing.showsIndexPaths ? title : Value?.none, columns))
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
