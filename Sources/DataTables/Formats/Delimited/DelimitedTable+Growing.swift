// Reading the lines that were appended to a delimited text.
extension DelimitedTable: GrowingTable {
  var lineEnd: UInt8? { dialect.lineEnds == .lf ? UInt8(ascii: "\n") : nil }

  func grown(
    to text: any ByteStore, report: LoadReport, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable? {
    // The layout and the types of a short text are determined from all of its rows, and cells that do
    // not fit a requested type are counted in all rows.
    guard store.count > sizes.exact, store.count <= text.count, let first = index.chunks.first,
      report.rejected == report.rejects.count, !forms.contains(where: \.isRequested),
      let unchanged = try unchangedRows(cancellation: cancellation)
    else { return nil }
    let kept = unchanged.chunks.dropping(smallerThan: sizes.window)
    let start = kept.last?.range.upperBound ?? first.range.lowerBound
    let tail = try RowIndex(
      text, from: start, dialect: dialect, columns: keys.count, limits: options.limits,
      sizes: sizes, cancellation: cancellation)
    let rows = kept.last.map { $0.firstRow + $0.count } ?? 0
    let added = tail.chunks.map { chunk in
      var chunk = chunk
      chunk.firstRow += rows
      return chunk
    }
    guard !mayChangeLayout(index.chunks.dropFirst(kept.count) + added) else { return nil }
    let table = DelimitedTable(
      store: text, dialect: dialect, shape: shape, index: RowIndex(joining: kept + added),
      forms: forms, options: options, reportsColumns: request.reportsColumns, sizes: sizes,
      lineage: Lineage(continuing: self, sharedRows: unchanged.rows),
      continuing: decodedColumns.mapValues {
        EarlierColumn(column: $0.column, rows: min($0.rows, rows))
      })
    let report = try table.report(continuing: report, from: start, added)
    let rejected = report.rejected - table.index.continuations
    guard rejected <= table.count, !options.isStrict || report.rejected == 0 && report.padded == nil
    else {
      return nil
    }
    return LoadedTable(table: table, report: report)
  }

  /// Whether rows can change the layout of the text, or a note about all of it.
  private func mayChangeLayout(_ chunks: some Sequence<RowIndex.Chunk>) -> Bool {
    let isTabbed = dialect.delimiter == UInt8(ascii: "\t")
    let known = Set(keys)
    return chunks.contains { $0.findings.mayChangeLayout(of: known, isTabbed: isTabbed) }
  }

  /// The chunks of the rows that appended bytes cannot change, and the number of these rows.
  private func unchangedRows(
    cancellation: Cancellation
  ) throws -> (chunks: [RowIndex.Chunk], rows: Int)? {
    guard let last = index.chunks.last,
      let end = try store.end(ofLast: UInt8(ascii: "\n"), from: last.range.lowerBound)
    else { return nil }
    // A quote that was not closed by the end of the text may be closed now.
    func isOpen(_ reject: RejectedRow) -> Bool {
      reject.reason == .unclosedQuote && reject.offset + options.limits.row >= store.count
    }
    let hasOpenQuote = last.findings.rejects.contains(where: isOpen)
    guard !index.chunks.dropLast().contains(where: { $0.findings.rejects.contains(where: isOpen) })
    else { return nil }
    let mayContinue = dialect.lines?.continuedColumn != nil
    if mayContinue, last.count == 0 { return nil }
    if end == store.count, !hasOpenQuote, !mayContinue { return (index.chunks, count) }
    // The last line may continue, or a quoted cell in it, or the next line continues it.
    var start = count > 0 ? min(end, try offset(of: count - 1)) : end
    for reject in last.findings.rejects where isOpen(reject) {
      start = min(start, reject.offset)
    }
    let group = last.anchors.lastIndex { last.range.lowerBound + Int($0) < start } ?? 0
    // A key may have come from the part of a line that had arrived.
    let dropped = last.range.lowerBound + (group > 0 ? Int(last.anchors[group]) : 0)
    if last.findings.newKeys.contains(where: { $0.offset >= dropped }) { return nil }
    guard group > 0 else {
      // A chunk begins with a row, so the row before it is complete.
      return index.chunks.count > 1 ? (index.chunks.dropLast(), last.firstRow) : nil
    }
    let trimmed = try trimmed(last, toGroups: group, cancellation)
    return (index.chunks.dropLast() + [trimmed], trimmed.firstRow + trimmed.count)
  }

  /// A chunk with its first groups of rows.
  private func trimmed(
    _ chunk: RowIndex.Chunk, toGroups count: Int, _ cancellation: Cancellation
  ) throws -> RowIndex.Chunk {
    var trimmed = chunk
    trimmed.keep(groups: count)
    // The irregular rows are counted again, without those that are dropped.
    let again = try RowIndex(
      store, from: trimmed.range.upperBound, dialect: dialect, columns: keys.count,
      limits: options.limits, sizes: sizes, cancellation: cancellation)
    for chunk in again.chunks {
      trimmed.findings.padded -= chunk.findings.padded
      trimmed.findings.continuations -= chunk.findings.continuations
      trimmed.findings.continued -= chunk.findings.continued
    }
    return trimmed
  }

  /// The report on this table.
  ///
  /// - Parameters:
  ///   - report: the report on the shorter text.
  ///   - start: the rows from here on were read again.
  ///   - added: the chunks of these rows.
  private func report(
    continuing report: LoadReport, from start: Int, _ added: [RowIndex.Chunk]
  ) throws -> LoadReport {
    var report = report
    report.rows = count
    report.rejects = report.rejects.filter { $0.offset < start }
    report.rejected = index.chunks.reduce(0) { $0 + $1.findings.rejects.count }
    var lines = LineCounter(store, dialect: dialect.kernel, after: report.rejects.last)
    for reject in added.flatMap(\.findings.rejects)
    where report.rejects.count < LoadReport.maxRejects {
      report.rejects.append(try reject.report(in: store, keys: keys.count, lines: &lines))
    }
    report.continued = index.continued
    let padded = index.chunks.reduce(0) { $0 + $1.findings.padded }
    if padded == 0 {
      report.padded = nil
    } else if let first = index.chunks.lazy.compactMap(\.findings.firstPadded).first {
      let line =
        first.offset < start
        ? report.padded?.line : try LineCounter.line(at: first.offset, of: self)
      report.padded = LoadReport.Padded(count: padded, line: line ?? 1, fields: first.fields)
    }
    return report
  }
}

extension DelimitedTable {
  /// A column of the table that this one continues, with the values of the other rows; nil if it
  /// must be decoded anew, because the types or the forms of both parts differ.
  func column(
    _ position: Int, continuing earlier: EarlierColumn, cancellation: Cancellation
  ) throws -> KeyColumn? {
    guard let chunks = index.chunks.beginning(atRow: earlier.rows) else { return nil }
    let form = forms[position]
    var options = options
    // All cells are strings, whatever they look like.
    if form.type == .string { options.types[keys[position]] = .string }
    let tail = DelimitedTable(
      store: store, dialect: dialect, shape: shape, index: RowIndex(joining: chunks), forms: forms,
      options: options, reportsColumns: false, sizes: sizes)
    guard
      let decoded = try ColumnDecoder(table: tail, forms: forms, cells: cells).decode(
        [position], anticipated: [:], unkeyed: [], cancellation: cancellation
      ).first,
      decoded.form == form || decoded.column.isNull || form.type == .string
    else { return nil }
    return earlier.column.continued(after: earlier.rows, by: decoded.column)
  }
}

extension KeyColumn {
  /// Whether all rows are null, so that they fit every type.
  fileprivate var isNull: Bool {
    guard case .coded(_, let values) = self else { return false }
    return !values.areStrings && values.allSatisfy(\.isNull)
  }
}

extension LineCounter {
  fileprivate static func line(at offset: Int, of table: DelimitedTable) throws -> Int {
    var lines = LineCounter(table.store, dialect: table.dialect.kernel)
    return try lines.line(at: offset)
  }
}

extension RowIndex.Chunk {
  /// Drops all but the first groups of rows.
  fileprivate mutating func keep(groups: Int) {
    count = groups * RowIndex.spacing
    range = range.lowerBound..<range.lowerBound + Int(anchors[groups])
    anchors = Array(anchors[..<groups])
    lengths = lengths.isEmpty ? [] : Array(lengths[..<count])
    let end = range.upperBound
    findings.rejects.removeAll { $0.offset >= end }
    if let first = findings.firstPadded, first.offset >= end { findings.firstPadded = nil }
  }
}

extension RowFindings {
  /// Whether a load would try another layout, or change a note about all rows.
  fileprivate func mayChangeLayout(of keys: Set<String>, isTabbed: Bool) -> Bool {
    comments > 0 || loneReturn != nil || newKeys.contains { !keys.contains($0.key) }
      || isTabbed && rejects.contains(where: \.reason.isQuote)
  }
}

extension RowIndex.Chunk: RowChunk {
  var size: Int { range.count }
}
