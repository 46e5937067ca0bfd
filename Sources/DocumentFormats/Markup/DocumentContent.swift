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
  func table(named name: String, _ input: FormatInput) throws -> LoadedTable {
    var report = LoadReport(format: name, encoding: encoding, rows: rows.count)
    report.notes = notes
    return LoadedTable(table: ValueTable(rows, lines: lines), report: report)
  }
}

extension Value {
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
