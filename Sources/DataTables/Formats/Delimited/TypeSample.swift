internal import CScan

/// Estimates the types of the columns from the first rows.
struct TypeSample {
  private let store: any ByteStore
  private let dialect: Dialect
  private let options: ReadOptions
  private let header: Header
  private let sizes: ScanSizes

  struct Findings {
    var columns: [ColumnReport]
    /// The form of each column.
    var forms: [CellForm]
    /// The average length of a row in bytes; at least 1.
    var rowLength: Int
  }

  init(
    _ store: any ByteStore, dialect: Dialect, options: ReadOptions, header: Header, sizes: ScanSizes
  ) {
    self.store = store
    self.dialect = dialect
    self.options = options
    self.header = header
    self.sizes = sizes
  }

  func read() throws -> Findings {
    let count = header.keys.count
    let cells = CellReader(options, quoting: dialect.quoting)
    let scanner = RowScanner(
      store, dialect: dialect, columns: count, limits: options.limits,
      batch: RowScanner.batch(ofFields: count))
    scanner.start(header.end..<min(store.count, header.end + sizes.sample))
    var rows = 0
    var found = [TypeFindings](repeating: TypeFindings(cells.style), count: count)
    let allColumns = (0..<count).map { UInt32($0) }
    var fields = [ds_field](repeating: ds_field(), count: count * scanner.batchCapacity)
    while let batch = try scanner.next() {
      rows += batch.count
      scanner.locate(allColumns, of: batch.baseAddress, count: batch.count, into: &fields)
      for place in 0..<batch.count * count where fields[place].length != 0 {
        let offset = scanner.storeOffset(batch[place / count].start)
        cells.withCell(fields[place], in: scanner.bytes) {
          if !cells.isNull($0) { found[place % count].add($0, at: offset) }
        }
      }
    }
    var lines = LineCounter(store, dialect: dialect.kernel)
    var columns: [ColumnReport] = []
    var forms: [CellForm] = []
    for (key, found) in zip(header.keys, found) {
      if let type = options.types[key] {
        columns.append(ColumnReport(key: key, type: type.type, isExact: true))
        forms.append(
          CellForm(type, order: cells.order ?? found.tally.order(), style: cells.style))
      } else {
        columns.append(
          try found.report(on: key, isExact: false, order: cells.order) { try lines.line(at: $0) })
        forms.append(found.tally.form(cells.order))
      }
    }
    return Findings(
      columns: columns, forms: forms,
      rowLength: max(1, (scanner.position - header.end) / max(1, rows)))
  }
}
