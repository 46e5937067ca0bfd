internal import CScan

/// What the columns seem to be, from the first rows.
struct TypeSample {
  private let store: any ByteStore
  private let dialect: Dialect
  private let options: ReadOptions
  private let header: Header

  init(_ store: any ByteStore, dialect: Dialect, options: ReadOptions, header: Header) {
    self.store = store
    self.dialect = dialect
    self.options = options
    self.header = header
  }

  func types() throws -> [ColumnType] {
    let count = header.keys.count
    let cells = CellReader(nulls: Set(options.nulls.map { Array($0.utf8) }))
    let scanner = RowScanner(store, dialect: dialect, columns: count, limits: options.limits)
    scanner.start(header.end..<min(store.count, header.end + DelimitedReader.sampleSize))
    var tallies = [TypeTally](repeating: TypeTally(), count: count)
    let kernels = ds_kernels_best().pointee
    let wanted = (0..<count).map { UInt32($0) }
    var fields = [ds_field](repeating: ds_field(), count: count * scanner.batchCapacity)
    while let batch = try scanner.next() {
      kernels.csv_fields(
        scanner.bytes, dialect.delimiter, dialect.terminator, batch.baseAddress, batch.count,
        wanted, count, &fields)
      for place in 0..<batch.count * count where fields[place].length != 0 {
        cells.withCell(fields[place], in: scanner.bytes) {
          if !cells.isNull($0) { tallies[place % count].add($0) }
        }
      }
    }
    return zip(header.keys, tallies).map { options.types[$0] ?? $1.type }
  }
}
