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
    let cells = CellReader(nulls: options.nulls, quoting: dialect.quoting)
    let scanner = RowScanner(
      store, dialect: dialect, columns: count, limits: options.limits,
      batch: RowScanner.batch(ofFields: count))
    scanner.start(header.end..<min(store.count, header.end + sizes.sample))
    var rows = 0
    var found = [Column](repeating: Column(), count: count)
    let allColumns = (0..<count).map { UInt32($0) }
    var fields = [ds_field](repeating: ds_field(), count: count * scanner.batchCapacity)
    while let batch = try scanner.next() {
      rows += batch.count
      scanner.locate(allColumns, of: batch.baseAddress, count: batch.count, into: &fields)
      for place in 0..<batch.count * count where fields[place].length != 0 {
        let offset = scanner.storeOffset(batch[place / count].start)
        cells.withCell(fields[place], in: scanner.bytes) {
          if !cells.isNull($0) { found[place % count].add($0, offset: offset) }
        }
      }
    }
    var lines = LineCounter(store, dialect: dialect.kernel)
    let columns = try zip(header.keys, found).map { key, column in
      if let declared = options.types[key] {
        return ColumnReport(key: key, type: declared, isExact: true)
      }
      let evidence = try column.evidence(&lines)
      return ColumnReport(key: key, type: column.tally.type, isExact: false, evidence: evidence)
    }
    return Findings(
      columns: columns, rowLength: max(1, (scanner.position - header.end) / max(1, rows)))
  }
}

extension TypeSample {
  /// The types of a column's cells, and the first cell that prevents numbers or dates.
  private struct Column {
    var tally = TypeTally()
    private var outlier: (offset: Int, text: String)?
    private var leadingZero: (offset: Int, text: String)?

    mutating func add(_ cell: UnsafeRawBufferPointer, offset: Int) {
      switch tally.add(cell) {
      case .other where outlier == nil:
        outlier = (offset, String(decoding: cell, as: UTF8.self))
      case .leadingZero where leadingZero == nil:
        leadingZero = (offset, String(decoding: cell, as: UTF8.self))
      default: break
      }
    }

    /// `values have leading zeros, first at line 3: 01234`, or
    /// `mostly numbers, but line 840 has "NA"; add `nulls: NA` to read it as null`.
    func evidence(_ lines: inout LineCounter) throws -> String? {
      guard tally.type == .string else { return nil }
      if let leadingZero, tally.leadingZeros + tally.numbers == tally.count {
        let line = try lines.line(at: leadingZero.offset)
        return "values have leading zeros, first at line \(line): \(leadingZero.text)"
      }
      guard let outlier, tally.others * 2 < tally.count,
        max(tally.numbers, tally.dates) + tally.others == tally.count
      else { return nil }
      let noun = tally.dates > 0 ? "dates" : "numbers"
      let line = try lines.line(at: outlier.offset)
      let fact = "mostly \(noun), but line \(line) has \(Value.string(outlier.text).json)"
      let isNull = NullWords.all.contains(outlier.text.lowercased())
      return isNull
        ? fact + "; add \(SuggestedLabels("nulls", outlier.text)) to read it as null" : fact
    }
  }
}
