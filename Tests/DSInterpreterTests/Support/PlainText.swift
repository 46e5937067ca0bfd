import DSInterpreter
import DataSources
import DataTables

/// Outputs and errors as lines, as plain as can be.
enum PlainText {
  static func lines(of output: Output) async throws -> [String] {
    try await lines(of: output.content) + lines(of: output.heard)
  }

  private static func lines(of content: Output.Content) async throws -> [String] {
    switch content {
    case .none: []
    case .value(let value): [text(value)]
    case .list(let values): values.map(text)
    case .object(.record(let record)):
      zip(record.keys, record.values).map { "\($0): \(text($1))" }
    case .object(let value): [text(value)]
    case .report(let report):
      lines(of: report)
    case .grid(let grid): lines(of: grid)
    case .objects(let listing): try await lines(of: listing)
    case .text(let lines, _): lines
    }
  }

  static func lines(of diagnostic: Diagnostic) -> [String] {
    let near = diagnostic.suggestion.map { "; did you mean `\($0)`?" } ?? ""
    return ["error: \(diagnostic.message)\(near)"] + diagnostic.details.map { "  " + $0 }
  }

  static func text(_ value: Value) -> String {
    if case .string(let text) = value { text } else { value.json }
  }

  /// The subjects of the notes stand in a column.
  private static func lines(of report: Report) -> [String] {
    let width = report.notes.compactMap { $0.subject?.count }.max() ?? 0
    return [report.headline]
      + report.notes.map { note in
        guard let subject = note.subject else { return "  " + note.text }
        let space = String(repeating: " ", count: width - subject.count + 2)
        return "  " + subject + space + note.text
      }
  }

  private static func lines(of grid: Grid) -> [String] {
    if grid.rows.isEmpty, let placeholder = grid.placeholder { return [placeholder] }
    let columns = grid.columns.indices.filter { grid.columns[$0].audience != .programs }
    var rows = grid.rows.map { row in columns.map { text(row[$0]) } }
    if !grid.hidesHeader { rows.insert(columns.map { grid.columns[$0].header }, at: 0) }
    let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let isNumber = columns.map { column in
      grid.rows.allSatisfy { $0[column].type == .number }
    }
    return rows.map { row in
      let cells = row.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - row[index].count)
        return isNumber[index] ? space + row[index] : row[index] + space
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func lines(of listing: ObjectListing) async throws -> [String] {
    var lines: [String] = []
    for section in listing.sections {
      if listing.showsPlaces { lines.append(text(try await listing.snapshot.title(of: section))) }
      for (row, object) in try await listing.snapshot.objects(in: section).enumerated() {
        var cells = [text(object)]
        if case .record(let record) = object { cells = record.values.map(text) }
        let place = listing.showsPlaces ? "  [\(section), \(row)]  " : ""
        lines.append(place + cells.joined(separator: "  "))
      }
    }
    if let placeholder = listing.placeholder { lines.append("  " + placeholder) }
    return lines
  }
}
