internal import CScan

/// Comma-separated values, after RFC 4180; other delimiters are found out or given.
struct CSVFormat: TableFormat {
  static let names = ["csv"]
  static let extensions = ["csv", "txt", "dat", "psv"]
  static func matches(_ sample: [UInt8]) -> Bool { true }

  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try DelimitedReader(bytes, options: options, delimiter: UInt8(ascii: ","))
      .read(cancellation: cancellation)
  }
}

/// Tab-separated values, with the quotes of CSV.
struct TSVFormat: TableFormat {
  static let names = ["tsv"]
  static let extensions = ["tsv", "tab"]
  static func matches(_ sample: [UInt8]) -> Bool { false }

  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try DelimitedReader(bytes, options: options, delimiter: UInt8(ascii: "\t"))
      .read(cancellation: cancellation)
  }
}

/// Reads a delimited text: the header, where the rows are, and what the columns seem to be.
struct DelimitedReader {
  private let store: any ByteStore
  private let options: ReadOptions
  private let dialect: Dialect
  private let sizes: ScanSizes
  private let cells: CellReader

  /// - Parameter delimiter: where the options name none; a comma means that it is found out.
  init(
    _ store: any ByteStore, options: ReadOptions, delimiter: UInt8, sizes: ScanSizes? = nil
  ) throws {
    self.store = store
    self.options = options
    let sizes = sizes ?? ScanSizes(forTextOf: store.count)
    self.sizes = sizes
    cells = CellReader(nulls: options.nulls)
    let sample = try store.bytes(0..<min(store.count, sizes.sample))
    dialect = Dialect(sample: sample, options: options, fallback: delimiter)
  }

  func read(cancellation: Cancellation) throws -> LoadedTable {
    let header = try HeaderReader(store, dialect: dialect, options: options).read()
    for key in options.types.keys.sorted() where !header.keys.contains(key) {
      throw TableError.unknownKey(key, known: header.keys)
    }
    // What is wrong with the text is told by the scan of all of it, even what the sample met first.
    let sample = Result {
      try TypeSample(store, dialect: dialect, options: options, header: header, sizes: sizes).read()
    }
    let pass = (try? sample.get()).flatMap { anticipation(of: header.keys, $0) }
    let index = try RowIndex(
      store, from: header.end, dialect: dialect, columns: header.keys.count,
      limits: options.limits, sizes: sizes, decoding: pass, cancellation: cancellation)
    let sampled = try sample.get().columns
    let table = DelimitedTable(
      store: store, dialect: dialect, shape: Record.Shape(header.keys), index: index,
      types: sampled.map(\.type), options: options,
      // Behind a wrong guess rows were taken that are none.
      anticipated: index.areGuessesRight ? pass?.targets ?? [] : [], sizes: sizes)
    var report = try report(on: table, header: header)
    if options.isStrict, let reject = report.rejects.first {
      throw TableError.format(
        "the row \(reject.reason)", at: TextPosition(line: reject.line, column: reject.column))
    }
    if options.reportsColumns {
      report.columns =
        table.settlesColumns ? try exactColumns(of: table, cancellation) : sampled
    }
    return LoadedTable(table: table, report: report)
  }

  /// The columns that are decoded while rows are looked for; nil for none. Of small texts all are
  /// decoded anyway.
  private func anticipation(of keys: [String], _ sample: TypeSample.Findings) -> ColumnPass? {
    let wanted = Set(options.anticipatedKeys)
    guard !wanted.isEmpty, store.count > sizes.exact else { return nil }
    let targets = keys.indices.filter { wanted.contains(keys[$0]) }.map { position in
      ColumnTarget(
        rows: .expected(store.count / sample.rowLength), position: position,
        kind: NumericKind(sample.columns[position].type), declared: options.types[keys[position]])
    }
    return targets.isEmpty ? nil : ColumnPass(targets, dialect: dialect, cells: cells)
  }

  private func exactColumns(
    of table: DelimitedTable, _ cancellation: Cancellation
  ) throws -> [ColumnReport] {
    // In groups, as every column takes memory while it is decoded.
    try stride(from: 0, to: table.keys.count, by: 256).flatMap { start in
      let keys = table.keys[start..<min(start + 256, table.keys.count)]
      try table.decode(keys.map { ObjectKeyPath(key: $0) }, cancellation: cancellation)
      return try keys.map { try table.report(on: $0, cancellation: cancellation) }
    }
  }

  private func report(on table: DelimitedTable, header: Header) throws -> LoadReport {
    var report = LoadReport(format: formatName, lineEnds: lineEnds(header), rows: table.count)
    report.notes = header.notes
    var lines = LineCounter(store, terminator: dialect.terminator)
    for stretch in table.index.stretches {
      let findings = stretch.findings
      report.rejected += findings.rejects.count
      let room = LoadReport.mostRejects - report.rejects.count
      for reject in findings.rejects.prefix(room) {
        report.rejects.append(try describe(reject, keys: table.keys.count, lines: &lines))
      }
      if let first = findings.firstPadded {
        if report.padded == nil {
          let line = try lines.line(at: first.offset)
          report.padded = LoadReport.Padded(count: 0, line: line, fields: first.fields)
        }
        report.padded?.count += findings.padded
      }
    }
    let comments = header.comments + table.index.stretches.reduce(0) { $0 + $1.findings.comments }
    if comments > 0 {
      report.notes.append("\(comments.grouped) comment line\(comments == 1 ? "" : "s") left out")
    }
    return report
  }

  private func describe(
    _ reject: RejectedRow, keys: Int, lines: inout LineCounter
  ) throws -> Reject {
    let (column, reason) =
      switch reject.reason {
      case .tooManyFields(let fields): (1, "has \(fields.grouped) fields of \(keys.grouped)")
      case .unclosedQuote: (1, "has an unclosed quote")
      case .junkAfterQuote(let column): (column, "has text after a closing quote")
      }
    let bytes = try store.bytes(reject.offset..<reject.offset + min(reject.length, 800))
    return Reject(
      line: try lines.line(at: reject.offset), offset: reject.offset, column: column,
      reason: reason, text: String(String(decoding: bytes, as: UTF8.self).prefix(200)))
  }

  private var formatName: String {
    switch dialect.delimiter {
    case UInt8(ascii: ","): "CSV"
    case UInt8(ascii: "\t"): "TSV"
    default: "CSV with '\(Character(Unicode.Scalar(dialect.delimiter)))'"
    }
  }

  private func lineEnds(_ header: Header) -> String? {
    if dialect.terminator == UInt8(ascii: "\r") { return "CR" }
    return header.hasCarriageReturn ? "CRLF" : nil
  }
}
