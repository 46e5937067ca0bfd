import DataTables

/// The rows of a document in memory, before their texts get types.
struct DocumentContent {
  var rows: [Value]
  /// The line on which each row starts, from 1.
  var lines: [Int]
  /// The encoding as the load report shows it.
  var encoding = "UTF-8"
  /// Notes for the load report.
  var notes: [String] = []

  /// The rows as a table, whose texts have types as the cells of a CSV have.
  /// - Parameter name: the format as the load report shows it.
  /// - Throws: the errors of ``TypedCells/read(cancellation:)``.
  func table(named name: String, _ input: FormatInput) throws -> LoadedTable {
    let lines = lines
    let typed = try TypedCells(rows, request: input.request) { row in
      lines.indices.contains(row) ? lines[row] : nil
    }.read(cancellation: input.cancellation)
    var report = LoadReport(format: name, encoding: encoding, rows: rows.count)
    report.notes = notes
    typed.add(to: &report)
    return LoadedTable(table: ValueTable(typed.rows, lines: lines), report: report)
  }
}
