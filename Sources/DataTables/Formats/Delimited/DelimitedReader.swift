internal import CScan

/// Reads a delimited text: its header, the positions of its rows, and the likely types of its
/// columns.
struct DelimitedReader {
  private let store: any ByteStore
  private let request: ReadRequest
  private let layout: TableLayout
  private let sizes: ScanSizes

  private let fallback: UInt8

  /// - Parameter delimiter: used if the options specify no delimiter; a comma means that the
  ///   delimiter is detected.
  init(
    _ store: any ByteStore, request: ReadRequest, delimiter: UInt8, sizes: ScanSizes? = nil
  ) throws {
    self.store = store
    self.request = request
    fallback = delimiter
    let options = request.options
    let sizes = sizes ?? ScanSizes(forTextOf: store.count)
    self.sizes = sizes
    let sample = try TextSample(
      store, size: sizes.sample, skippedLines: options.skippedLines ?? 0)
    layout = try TableFinder(sample, options: options, fallback: delimiter).layout()
  }

  /// - Parameter layout: of lines without delimiters.
  init(_ store: any ByteStore, request: ReadRequest, layout: TableLayout, sizes: ScanSizes? = nil) {
    self.store = store
    self.request = request
    self.layout = layout
    self.sizes = sizes ?? ScanSizes(forTextOf: store.count)
    fallback = layout.dialect.delimiter
  }

  private init(_ other: Self, layout: TableLayout) {
    (store, request, fallback, sizes) = (other.store, other.request, other.fallback, other.sizes)
    self.layout = layout
  }

  private var options: ReadOptions { request.options }
  private var dialect: Dialect { layout.dialect }
  private var cells: CellReader { CellReader(options, quoting: dialect.quoting) }

  func read(cancellation: Cancellation) throws -> LoadedTable {
    var reader = self
    var found = try rows(cancellation)
    while let other = try reader.revised(after: found) {
      let again = try other.rows(cancellation)
      // A CR in the only column is a line end, although it makes no row irregular.
      let isBetter = again.irregular < found.irregular
      guard isBetter || again.irregular == found.irregular && again.count > found.count else {
        break
      }
      (reader, found) = (other, again)
    }
    return try reader.loaded(found, cancellation)
  }

  /// The rows of a layout, before their report is made.
  private struct Rows {
    let header: Header
    let table: DelimitedTable
    let sampled: [ColumnReport]

    var count: Int { table.count }
    var rejected: Int { table.index.chunks.reduce(0) { $0 + $1.findings.rejects.count } }
    var irregular: Int { rejected + table.index.chunks.reduce(0) { $0 + $1.findings.padded } }
  }

  private func rows(_ cancellation: Cancellation) throws -> Rows {
    let header =
      try layout.keys.map { Header(keys: $0, end: layout.start) }
      ?? HeaderReader(store, layout: layout, options: options).read()
    // The scan checks only the rows.
    try TextEncoding.checkUTF8(try store.bytes(0..<min(header.end, store.count)))
    if layout.keys == nil { try checkTypes(of: header.keys) }
    // An error in the sample is thrown only after the full scan, because errors that the scan finds
    // take precedence.
    let sample = Result {
      try TypeSample(store, dialect: dialect, options: options, header: header, sizes: sizes).read()
    }
    let pass = (try? sample.get()).flatMap { anticipation(of: header.keys, $0) }
    let index = try RowIndex(
      store, from: header.end, dialect: dialect, columns: header.keys.count,
      limits: options.limits, sizes: sizes, decoding: pass, cancellation: cancellation)
    let found = try LineKeys(
      index, of: store, dialect: dialect, header: header, sampled: try sample.get(),
      options: options, sizes: sizes)
    if layout.keys != nil { try checkTypes(of: found.header.keys) }
    let table = DelimitedTable(
      store: store, dialect: found.dialect, shape: Record.Shape(found.header.keys), index: index,
      forms: found.sampled.forms, options: options, reportsColumns: request.reportsColumns,
      // If a guess was wrong, the columns were decoded from wrong rows.
      anticipated: index.areGuessesRight ? pass?.targets ?? [] : [], sizes: sizes)
    return Rows(header: found.header, table: table, sampled: found.sampled.columns)
  }

  private func checkTypes(of keys: [String]) throws(TableError) {
    for key in options.types.keys.sorted() where !keys.contains(key) {
      throw .unknownKey(key, known: keys)
    }
  }

  /// A reader for what the rows after the sample show: CR as line ends, text after quotes that
  /// follow spaces, or, in a text with tabs, quotes that do not balance.
  private func revised(after found: Rows) throws -> Self? {
    guard layout.keys == nil else { return nil }
    let chunks = found.table.index.chunks
    var layout = layout
    var lines = LineCounter(store, dialect: dialect.kernel)
    if let offset = chunks.lazy.compactMap(\.findings.loneReturn).first, !layout.hasLoneReturn {
      layout.dialect.lineEnds = .any
      layout.hasLoneReturn = true
      layout.lineEnds.addReturn(atLine: try lines.line(at: offset))
      return Self(self, layout: layout)
    }
    if dialect.skipsSpaces,
      chunks.contains(where: { $0.findings.rejects.contains(where: \.reason.isQuote) })
    {
      layout.dialect.skipsSpaces = false
      return Self(self, layout: layout)
    }
    guard dialect.delimiter == UInt8(ascii: "\t"), dialect.quote != nil, options.quote == nil,
      let reject = chunks.lazy.flatMap(\.findings.rejects).first(where: \.reason.isQuote)
    else { return nil }
    layout.dialect.quote = nil
    let (line, label) = (try lines.line(at: reject.offset), SuggestedLabels("quote", "none"))
    layout.notes.append("detected \(label): the quotes at line \(line) do not balance")
    return Self(self, layout: layout)
  }

  private func loaded(_ found: Rows, _ cancellation: Cancellation) throws -> LoadedTable {
    var report = try report(on: found.table, header: found.header)
    if options.isStrict, let error = Self.strictError(report, keys: found.table.keys.count) {
      throw error
    }
    if let error = try otherDelimiter(in: found, report) { throw error }
    if report.rejected - found.table.index.continuations > found.count {
      throw try mostRejected(report, found, cancellation)
    }
    let misfits = try RequestedCells(found.table).read(cancellation: cancellation)
    if options.isStrict, let first = misfits.min(by: { $0.start < $1.start }) {
      var lines = LineCounter(store, dialect: dialect.kernel)
      throw first.error(at: try lines.position(of: first.start))
    }
    if request.reportsColumns {
      report.columns =
        found.table.determinesTypesAtLoad
        ? try exactColumns(of: found.table, cancellation) : found.sampled
    }
    try report.add(misfits) { positions, _ in
      var lines = LineCounter(store, dialect: dialect.kernel)
      return try positions.map { ($0, try lines.position(of: $0)) }
    }
    return LoadedTable(table: found.table, report: report)
  }

  /// The error about the first row that has too few fields or cannot be read.
  private static func strictError(_ report: LoadReport, keys: Int) -> TableError? {
    let reject = report.rejects.first
    if let padded = report.padded, reject.map({ padded.line < $0.line }) ?? true {
      return .format(
        "the row has \(padded.fields.grouped) of \(keys.grouped) fields (a load that is not strict "
          + "fills the others with null)", at: TextPosition(line: padded.line, column: 1))
    }
    return reject.map { reject in
      .format(
        "the row \(reject.reason)", at: TextPosition(line: reject.line, column: reject.column))
    }
  }

  /// The error about a text in which most rows have one field, because their delimiter differs from
  /// that of the first rows.
  private func otherDelimiter(in found: Rows, _ report: LoadReport) throws -> TableError? {
    guard layout.keys == nil, let padded = report.padded, padded.fields == 1,
      padded.count > found.count / 2,
      let place = found.table.index.chunks.lazy.compactMap(\.findings.firstPadded).first
    else { return nil }
    let start = place.offset
    let bytes = try store.bytes(start..<min(store.count, start + 4096))
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let other = TableFinder.delimiters.first { delimiter in
      delimiter != dialect.delimiter && line.count { $0 == delimiter } + 1 >= found.table.keys.count
    }
    guard let other else { return nil }
    let labels =
      SuggestedLabels("skip", String(padded.line - 1))
      + SuggestedLabels("delimiter", String(Unicode.Scalar(other)))
      + SuggestedLabels("header", "false")
    let isGiven =
      options.skippedLines != nil || options.delimiter != nil || options.hasHeader != nil
    return .format(
      "\(padded.count.grouped) of \(found.count.grouped) rows have 1 of "
        + "\(found.table.keys.count.grouped) fields, from line \(padded.line) on with another "
        + "delimiter; \(isGiven ? "use" : "add") \(labels) to read them", at: nil)
  }

  private func mostRejected(
    _ report: LoadReport, _ found: Rows, _ cancellation: Cancellation
  ) throws -> TableError {
    let advice = try layout.keys == nil ? fix(of: found, cancellation)?.advice : layout.advice?()
    let (rejected, all) = (report.rejected, report.rejected + found.count)
    let first = report.rejects.first.map { ": line \($0.line) \($0.reason)" } ?? ""
    return .format(
      "\(rejected.grouped) of \(all.grouped) rows cannot be read\(first)"
        + (advice.map { "; \($0)" } ?? ""), at: nil)
  }

  /// Options that read at least half of the rows.
  private func fix(
    of found: Rows, _ cancellation: Cancellation
  ) throws -> RejectionFixes.Fix? {
    let all = found.count + found.rejected
    let fixes = try RejectionFixes(found.table, layout, options: options).all
    return try fixes.first { fix in
      try cancellation.check()
      let request = ReadRequest(options: fix.options)
      let other = try cancellation.attempt {
        try Self(store, request: request, delimiter: fallback).rows(cancellation)
      }
      guard let other, other.rejected <= other.count else { return false }
      // Without `skip:`, the table may be found at a later line.
      return fix.options.skippedLines == options.skippedLines || options.skippedLines == nil
        || other.count + other.rejected >= all
    }
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
    return targets.isEmpty ? nil : ColumnPass(targets, cells: cells)
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
    var report = LoadReport(
      format: formatName, lineEnds: layout.lineEnds.description, rows: table.count)
    let spaces =
      dialect.skipsSpaces ? ["spaces at the start of a field are skipped, also before a quote"] : []
    report.notes = layout.notes + spaces + header.notes + (layout.lineEnds.note.map { [$0] } ?? [])
    var lines = LineCounter(store, dialect: dialect.kernel)
    for chunk in table.index.chunks {
      let findings = chunk.findings
      report.rejected += findings.rejects.count
      let room = LoadReport.maxRejects - report.rejects.count
      for reject in findings.rejects.prefix(room) {
        report.rejects.append(
          try reject.report(in: store, keys: table.keys.count, lines: &lines))
      }
      if let first = findings.firstPadded {
        if report.padded == nil {
          let line = try lines.line(at: first.offset)
          report.padded = LoadReport.Padded(count: 0, line: line, fields: first.fields)
        }
        report.padded?.count += findings.padded
      }
    }
    report.continued = table.index.continued
    let comments = header.comments + table.index.chunks.reduce(0) { $0 + $1.findings.comments }
    if comments > 0 {
      report.notes.append("\(comments.grouped) comment line\(comments == 1 ? "" : "s") skipped")
    }
    return report
  }

  private var formatName: String {
    if let name = layout.formatName { return name }
    return switch dialect.delimiter {
    case UInt8(ascii: ","): "CSV"
    case UInt8(ascii: "\t"): "TSV"
    default: "CSV with '\(Character(Unicode.Scalar(dialect.delimiter)))'"
    }
  }
}
