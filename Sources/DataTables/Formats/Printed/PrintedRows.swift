/// The rows of a printed table, and the report of their load.
struct PrintedRows {
  private let table: PrintedTable
  private let lines: PrintedLines
  private let options: ReadOptions
  private var rows: [PrintedTable.Row]
  private let keys: HeaderKeys?

  /// - Throws: ``TableError/badArgument(_:)`` if `keys:` does not fit, ``TableError/format(_:at:)``
  ///   if most rows cannot be read, or one in strict mode.
  init(
    _ table: PrintedTable, of lines: PrintedLines, _ options: ReadOptions
  ) throws(TableError) {
    (self.table, self.lines, self.options) = (table, lines, options)
    rows = table.rows
    if let keys = options.keys, keys.count != table.width {
      throw HeaderKeys.mismatch(keys, for: table.width, "columns")
    }
    switch (options.hasHeader, table.header) {
    case (false?, let header?):
      rows.insert(header, at: 0)
      keys = nil
    case (true?, nil):
      keys = rows.isEmpty ? nil : HeaderKeys(rows.removeFirst().cells)
    case (_, let header): keys = header.map { HeaderKeys($0.cells) }
    }
    guard let problem = table.problems.first else { return }
    let place = TextPosition(line: problem.line + 1, column: problem.column)
    if options.isStrict { throw .format("the row \(problem.reason)", at: place) }
    let count = table.problems.count
    if count > rows.count {
      throw .format(
        "\(count.grouped) of \((count + rows.count).grouped) rows cannot be read: "
          + "line \(problem.line + 1) \(problem.reason)", at: nil)
    }
  }

  func load(_ input: FormatInput) throws -> LoadedTable {
    let shape = Record.Shape(
      options.keys ?? keys?.keys ?? HeaderKeys.numbered(table.width))
    let records = rows.map { row in
      Value.record(
        Record(shape: shape, values: row.cells.map { $0.isEmpty ? .null : .string($0) }))
    }
    let places = rows.map { $0.line + 1 }
    var report = LoadReport(format: "printed table", rows: records.count)
    report.rejected = table.problems.count
    report.rejects = table.problems.prefix(LoadReport.maxRejects).map(reject)
    report.notes = notes
    let typed = try TypedCells(records, request: input.request) { row in
      places.indices.contains(row) ? places[row] : nil
    }.read(cancellation: input.cancellation)
    typed.add(to: &report)
    return LoadedTable(table: ValueTable(typed.rows, lines: places), report: report)
  }

  private func reject(_ problem: PrintedTable.Problem) -> Reject {
    Reject(
      line: problem.line + 1, offset: lines.start(of: problem.line), column: problem.column,
      reason: problem.reason, text: String(lines.text(of: problem.line).prefix(200)))
  }

  private var notes: [String] {
    var labels = options.format == nil ? [SuggestedLabels("format", "table")] : []
    if options.skippedLines == nil, table.start > 0 {
      labels.append(SuggestedLabels("skip", String(table.start)))
    }
    var notes = labels.joined.map { ["detected \($0)"] } ?? []
    if let line = table.typeLine {
      notes.append("line \(line + 1) has the types of the columns and is not a row")
    }
    if let line = table.dotLines.first {
      notes.append("the dots at line \(line + 1) stand for rows that were not printed")
    }
    if table.repetitions > 0 {
      notes.append(
        "the header is repeated \(table.repetitions.grouped) "
          + "time\(table.repetitions == 1 ? "" : "s")")
    }
    if options.keys == nil, options.hasHeader == nil, keys == nil {
      notes.append("no header found; add `header: true` to read the first row as the header")
    }
    return notes + (options.keys == nil ? keys?.notes ?? [] : []) + restNotes
  }

  /// Notes on the lines after the table.
  private var restNotes: [String] {
    let rest = (table.end..<lines.count).filter { line in
      // The rest of the border.
      !lines.isBlank(line) && lines.rule(line) == nil
    }
    guard let first = rest.first else { return [] }
    if let other = PrintedTable(lines, from: table.end) {
      let skip = SuggestedLabels("skip", String(other.start))
      let verb = options.skippedLines == nil ? "add" : "use"
      return ["another table begins at line \(other.start + 1); \(verb) \(skip) to read it"]
    }
    if rest.count == 1 {
      let text = SuggestedLabels.written(lines.text(of: first).trimmed)
      return ["line \(first + 1) is after the table and is not read: \(text)"]
    }
    return [
      "\(rest.count.grouped) lines after the table are not read, first line \(first + 1)"
    ]
  }
}
