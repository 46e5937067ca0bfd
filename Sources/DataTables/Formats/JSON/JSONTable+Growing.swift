// Reading the lines that were appended to a text of one value per line.
extension JSONTable: GrowingTable {
  var lineEnd: UInt8? { layout == .lines ? UInt8(ascii: "\n") : nil }

  func grown(
    to text: any ByteStore, report: LoadReport, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable? {
    // The types of a short text are determined from all of its rows.
    guard layout == .lines, store.count > JSONDocument.exactSize, store.count <= text.count,
      report.rejected == report.rejects.count, let last = index.chunks.last
    else { return nil }
    let end = try store.end(ofLast: UInt8(ascii: "\n"), from: last.anchors[0])
    guard let end else { return nil }
    let kept = index.chunks.dropLast() + [last.rows(before: end)].compactMap { $0 }
    // Without a line end at its end, the last line may continue.
    let shared = end == store.count ? count : kept.last.map { $0.firstRow + $0.count } ?? 0
    let whole = kept.dropping(smallerThan: window)
    let start = whole.last?.end ?? index.chunks[0].anchors[0]
    var request = request
    request.anticipatedKeys = []
    var document = JSONDocument(
      text, layout: .lines, range: start..<text.count, request: request,
      cancellation: cancellation)
    document.window = window
    let tail = try document.loadToEnd().loaded
    guard let added = tail.table as? JSONTable,
      let report = try report.continued(by: tail.report, from: start, in: text)
    else { return nil }
    let table = continued(by: added, after: whole, sharedRows: shared)
    var loaded = LoadedTable(table: table, report: report)
    loaded.report.rows = table.count
    return loaded
  }

  /// The table of kept chunks and of those that follow them in a longer text.
  private func continued(
    by added: JSONTable, after chunks: [JSONIndex.Chunk], sharedRows: Int
  ) -> JSONTable {
    let rows = chunks.last.map { $0.firstRow + $0.count } ?? 0
    let known = Set(keys)
    return JSONTable(
      store: added.store, layout: .lines, range: 0..<added.store.count,
      index: JSONIndex(
        joining: chunks
          + added.index.chunks.map {
            JSONIndex.Chunk(
              firstRow: rows + $0.firstRow, count: $0.count, anchors: $0.anchors, end: $0.end)
          }),
      keys: keys + added.keys.filter { !known.contains($0) },
      hasOtherRows: hasOtherRows || added.hasOtherRows,
      hasPlainLines: hasPlainLines && added.hasPlainLines, anticipated: [:], limits: limits,
      window: window,
      lineage: Lineage(continuing: self, sharedRows: sharedRows),
      continuing: hasOtherRows != added.hasOtherRows
        ? [:]
        : decodedColumns.mapValues {
          EarlierColumn(column: $0.column, rows: min($0.rows, rows))
        })
  }
}

extension JSONTable {
  /// A column of the table that this one continues, with the values of the other rows; nil if it
  /// must be decoded anew, because the forms of both parts differ.
  func column(
    _ path: ObjectKeyPath, continuing earlier: EarlierColumn, cancellation: Cancellation
  ) throws -> KeyColumn? {
    guard let chunks = index.chunks.beginning(atRow: earlier.rows) else { return nil }
    let tail = JSONTable(
      store: store, layout: layout, range: range, index: JSONIndex(joining: chunks), keys: keys,
      hasOtherRows: hasOtherRows, hasPlainLines: hasPlainLines, anticipated: [:], limits: limits,
      window: window)
    let column = try tail.column(path, cancellation: cancellation)
    return earlier.column.continued(after: earlier.rows, by: column)
  }
}

extension JSONIndex.Chunk {
  /// The groups of rows that end before an offset; the chunk itself if all do; nil for none.
  fileprivate func rows(before offset: Int) -> JSONIndex.Chunk? {
    if offset >= end { return self }
    guard let group = anchors.lastIndex(where: { $0 < offset }), group > 0 else { return nil }
    return JSONIndex.Chunk(
      firstRow: firstRow, count: group * JSONIndex.spacing, anchors: Array(anchors[..<group]),
      end: anchors[group])
  }
}

extension JSONIndex.Chunk: RowChunk {
  var size: Int { end - (anchors.first ?? end) }
}

extension LoadReport {
  /// The report of a longer text; nil if notes about both parts must be combined.
  ///
  /// - Parameters:
  ///   - tail: the report on the text from `start` on, with lines counted from there.
  ///   - start: the rows from here on were read again.
  fileprivate func continued(
    by tail: LoadReport, from start: Int, in text: any ByteStore
  ) throws -> LoadReport? {
    guard notes.isEmpty || tail.notes.isEmpty else { return nil }
    var report = self
    report.notes = notes + tail.notes
    report.rejects = rejects.filter { $0.offset < start }
    report.rejected = report.rejects.count + tail.rejected
    if !tail.rejects.isEmpty {
      var lines = LineCounter(
        text, dialect: Dialect(delimiter: 0, lineEnds: .any, quote: nil).kernel,
        after: report.rejects.last)
      let before = try lines.line(at: start) - 1
      for var reject in tail.rejects.prefix(Self.maxRejects - report.rejects.count) {
        reject.line += before
        report.rejects.append(reject)
      }
    }
    let known = Set(columns.map(\.key))
    for column in tail.columns where !known.contains(column.key) {
      report.columns.append(ColumnReport(key: column.key, type: column.type, isExact: false))
    }
    return report
  }
}
