internal import CScan

/// The keys of a delimited text, and the start of its rows.
struct Header {
  var keys: [String]
  /// The offset at which the rows start: after the header line if the text has one.
  var end: Int
  var comments = 0
  /// Notes about the keys for the load report.
  var notes: [String] = []
}

/// Reads the header of a delimited text from the first row of its table, or makes keys for it.
struct HeaderReader {
  private let store: any ByteStore
  private let layout: TableLayout
  private let options: ReadOptions

  init(_ store: any ByteStore, layout: TableLayout, options: ReadOptions) {
    self.store = store
    self.layout = layout
    self.options = options
  }

  func read() throws -> Header {
    // No row has this many fields, so every row counts as padded and its number of fields is known.
    var dialect = layout.dialect
    dialect.hasTrailingDelimiter = false
    if layout.header == .comment { dialect.comment = [] }
    let scanner = RowScanner(
      store, dialect: dialect, columns: Int(UInt32.max), limits: options.limits,
      windowSize: 16 << 10, batch: 1)
    scanner.start(min(layout.start, store.count)..<store.count)
    guard let row = try scanner.next()?.first, let fields = scanner.findings.firstPadded?.fields
    else {
      if let keys = options.keys {
        return Header(keys: keys, end: store.count)
      }
      throw TableError.format("expected a header line", at: TextPosition(line: 1, column: 1))
    }
    guard scanner.findings.rejects.isEmpty else {
      let fix = options.quote == nil ? "; add \(SuggestedLabels("quote", "none"))" : ""
      throw TableError.format(
        "the header line has a malformed quote\(fix)", at: TextPosition(line: 1, column: 1))
    }
    let cells = read(fields, of: row, in: scanner)
    var notes: [String] = []
    let keys = try keys(of: cells, notes: &notes)
    return Header(
      keys: keys, end: isHeader ? scanner.position : scanner.storeOffset(row.start),
      comments: layout.comments + scanner.findings.comments, notes: notes)
  }

  private var isHeader: Bool { layout.header != .none }

  /// The keys of a table whose first row has the given cells.
  private func keys(of cells: [String], notes: inout [String]) throws(TableError) -> [String] {
    if let keys = options.keys {
      // A row may be short, so the first row need not have all fields.
      guard keys.count >= cells.count else {
        throw HeaderKeys.mismatch(keys, for: cells.count, "fields")
      }
      return keys
    }
    var names = cells
    switch layout.header {
    case .none: return HeaderKeys.numbered(max(1, layout.width ?? cells.count))
    case .withoutRowNames: names.insert("", at: 0)
    case .line, .comment: break
    }
    if let width = layout.width, names.count < width {
      names += repeatElement("", count: width - names.count)
    }
    let unique = HeaderKeys(names)
    notes += unique.notes
    if layout.width == nil, options.hasHeader == nil,
      layout.mayStartWithData || cells.allSatisfy(CellKind.isNumberOrDate)
    {
      notes.append("the first line looks like data; add `header: false` to read it as a row")
    }
    return unique.keys
  }

  private func read(_ count: Int, of row: ds_row, in scanner: RowScanner) -> [String] {
    var row = row
    var fields = [ds_field](repeating: ds_field(), count: count)
    let allColumns = (0..<count).map { UInt32($0) }
    scanner.locate(allColumns, of: &row, count: 1, into: &fields)
    let cells = CellReader(nulls: [], quoting: layout.dialect.quoting)
    return fields.map { field in
      let cell = cells.withCell(field, in: scanner.bytes) { String(decoding: $0, as: UTF8.self) }
      // Blanks around a name are for the eye: `id, name`.
      return field.length & UInt32(DS_FIELD_QUOTED) == 0 ? cell.trimmed : cell
    }
  }
}

extension String {
  /// The string without spaces and tabs at its ends.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
