/// Comma-separated values (RFC 4180); other delimiters are detected or given.
struct CSVFormat: TableFormat {
  let names = ["csv"]
  let extensions = ["csv", "psv"]
  let mediaTypes = ["text/csv", "application/csv"]
  let options = ReadOption.delimited
  let isWritable = true

  func recognize(_ sample: FormatSample) -> Recognition {
    sample.text == nil ? .impossible : .possible
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      try DelimitedReader(text, request: input.request, delimiter: UInt8(ascii: ","))
        .read(cancellation: input.cancellation)
    }
  }
}

/// Tab-separated values, quoted as in CSV.
struct TSVFormat: TableFormat {
  let names = ["tsv"]
  let extensions = ["tsv", "tab"]
  let mediaTypes = ["text/tab-separated-values"]
  let options = ReadOption.delimited
  let isWritable = true

  func recognize(_ sample: FormatSample) -> Recognition {
    sample.text == nil ? .impossible : .ifNamed
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      try DelimitedReader(text, request: input.request, delimiter: UInt8(ascii: "\t"))
        .read(cancellation: input.cancellation)
    }
  }
}

extension ReadOption {
  /// The options of delimited text.
  fileprivate static let delimited =
    [delimiter, keys, header] + cellTypes + [comment, encoding, strict]
}

/// Sizes that control the reading of a text, in bytes.
struct ScanSizes: Sendable {
  /// In texts up to this size, the types of all columns are determined at load; in larger ones they
  /// are estimated from a sample, and a column's type is determined when the column is accessed.
  var exact = 1 << 20
  var sample = 256 << 10
  /// The part of the text that one worker scans at a time.
  var chunk = 4 << 20
  /// The part of a chunk that is in memory; it should fit the second-level cache.
  var window = 256 << 10
}

extension ScanSizes {
  /// The sizes for a text of `bytes`. Every worker should get several chunks: the smaller the
  /// chunks, the less time a worker is idle while others finish their last chunk.
  init(forTextOf bytes: Int) {
    chunk = min(chunk, max(chunk / 4, bytes / (Parallel.workers * 4)))
  }
}

/// Reads a delimited text: its header, the positions of its rows, and the likely types of its
/// columns.
struct DelimitedReader {
  private let store: any ByteStore
  private let request: ReadRequest
  private let dialect: Dialect
  private let sizes: ScanSizes
  private let cells: CellReader

  /// - Parameter delimiter: used if the options specify no delimiter; a comma means that the
  ///   delimiter is detected.
  init(
    _ store: any ByteStore, request: ReadRequest, delimiter: UInt8, sizes: ScanSizes? = nil
  ) throws {
    self.store = store
    self.request = request
    let options = request.options
    let sizes = sizes ?? ScanSizes(forTextOf: store.count)
    self.sizes = sizes
    cells = CellReader(options)
    let sample = try store.bytes(0..<min(store.count, sizes.sample))
    dialect = Dialect(sample: sample, options: options, fallback: delimiter)
  }

  private var options: ReadOptions { request.options }

  func read(cancellation: Cancellation) throws -> LoadedTable {
    let header = try HeaderReader(store, dialect: dialect, options: options).read()
    for key in options.types.keys.sorted() where !header.keys.contains(key) {
      throw TableError.unknownKey(key, known: header.keys)
    }
    // An error in the sample is thrown only after the full scan, because errors that the scan finds
    // take precedence.
    let sample = Result {
      try TypeSample(store, dialect: dialect, options: options, header: header, sizes: sizes).read()
    }
    let pass = (try? sample.get()).flatMap { anticipation(of: header.keys, $0) }
    let index = try RowIndex(
      store, from: header.end, dialect: dialect, columns: header.keys.count,
      limits: options.limits, sizes: sizes, decoding: pass, cancellation: cancellation)
    let sampled = try sample.get()
    let table = DelimitedTable(
      store: store, dialect: dialect, shape: Record.Shape(header.keys), index: index,
      forms: sampled.forms, options: options, reportsColumns: request.reportsColumns,
      // If a guess was wrong, the columns were decoded from wrong rows.
      anticipated: index.areGuessesRight ? pass?.targets ?? [] : [], sizes: sizes)
    var report = try report(on: table, header: header)
    if options.isStrict, let reject = report.rejects.first {
      throw TableError.format(
        "the row \(reject.reason)", at: TextPosition(line: reject.line, column: reject.column))
    }
    let misfits = try RequestedCells(table).read(cancellation: cancellation)
    if options.isStrict, let first = misfits.min(by: { $0.start < $1.start }) {
      var lines = LineCounter(store, terminator: dialect.terminator)
      throw first.error(at: try lines.position(of: first.start))
    }
    if request.reportsColumns {
      report.columns =
        table.determinesTypesAtLoad ? try exactColumns(of: table, cancellation) : sampled.columns
    }
    try report.add(misfits) { [store, dialect] places, _ in
      var lines = LineCounter(store, terminator: dialect.terminator)
      return try places.map { ($0, try lines.position(of: $0)) }
    }
    return LoadedTable(table: table, report: report)
  }

  /// The columns that are decoded during the scan for rows; nil for none. It is nil for a small
  /// text, whose columns are usually all decoded at load.
  private func anticipation(of keys: [String], _ sample: TypeSample.Findings) -> ColumnPass? {
    let anticipated = Set(request.anticipatedKeys)
    guard !anticipated.isEmpty, store.count > sizes.exact else { return nil }
    let targets = keys.indices.filter { anticipated.contains(keys[$0]) }.map { position in
      ColumnTarget(
        rows: .expected(store.count / sample.rowLength), position: position,
        cellForm: sample.forms[position], isKeyed: true,
        isDeclared: options.types[keys[position]] != nil)
    }
    return targets.isEmpty ? nil : ColumnPass(targets, dialect: dialect, cells: cells)
  }

  private func exactColumns(
    of table: DelimitedTable, _ cancellation: Cancellation
  ) throws -> [ColumnReport] {
    // In groups, because every column needs memory while it is decoded; in few groups, because each
    // needs a pass over the text.
    let group = max(256, (table.keys.count + 7) / 8)
    return try stride(from: 0, to: table.keys.count, by: group).flatMap { start in
      let keys = table.keys[start..<min(start + group, table.keys.count)]
      try table.decode(keys.map { ObjectKeyPath(key: $0) }, cancellation: cancellation)
      return try keys.map { try table.report(on: $0, cancellation: cancellation) }
    }
  }

  private func report(on table: DelimitedTable, header: Header) throws -> LoadReport {
    var report = LoadReport(format: formatName, lineEnds: lineEnds(header), rows: table.count)
    report.notes = header.notes
    var lines = LineCounter(store, terminator: dialect.terminator)
    for chunk in table.index.chunks {
      let findings = chunk.findings
      report.rejected += findings.rejects.count
      let room = LoadReport.maxRejects - report.rejects.count
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
    let comments = header.comments + table.index.chunks.reduce(0) { $0 + $1.findings.comments }
    if comments > 0 {
      report.notes.append("\(comments.grouped) comment line\(comments == 1 ? "" : "s") skipped")
    }
    return report
  }

  private func describe(
    _ reject: RejectedRow, keys: Int, lines: inout LineCounter
  ) throws -> Reject {
    let (column, reason) =
      switch reject.reason {
      case .tooManyFields(let fields):
        (1, "has \(fields.grouped) fields for \(keys.grouped) key\(keys == 1 ? "" : "s")")
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
