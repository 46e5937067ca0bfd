public import DSInterpreter
internal import DataTables
internal import DisplayText
internal import Pictures

/// Pipe tables, for documents.
public struct MarkdownStyle: DataStyle {
  public static let name = "markdown"
  public static let summary = "pipe tables, for documents"
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    switch output.content {
    case .none: break
    case .value(let value):
      try write(value.text(limit: terminal.rowLimit).markdown + "\n")
    case .object(let value): try write(lines(of: value, terminal))
    case .list(let values):
      let shown = values.prefix(terminal.rowLimit ?? values.count)
      try write(shown.map { "- " + $0.text.markdown + "\n" }.joined())
      try write(paragraph(TableFooter(hiddenRows: values.count - shown.count)))
    case .report(let report):
      let notes = report.notes.map { note in
        let subject = note.subject.map { $0.escapingControls().markdown + ": " } ?? ""
        return "- " + subject + note.text.escapingControls().markdown + "\n"
      }
      let headline = report.headline.escapingControls().markdown
      try write(headline + "\n" + (notes.isEmpty ? "" : "\n" + notes.joined()))
    case .grid(let grid) where grid.rows.isEmpty && grid.placeholder != nil:
      guard let placeholder = grid.placeholder, !placeholder.isEmpty else { return }
      try write(placeholder.escapingControls().markdown + "\n")
    case .picture(let picture, _, _):
      try write("```mermaid\n" + MermaidDrawing().document(picture) + "```\n")
    case .grid, .objects: try await table(output, limit: terminal.rowLimit, write)
    case .text(let lines, _):
      try write("```\n" + lines.map { $0.escapingControls() + "\n" }.joined() + "```\n")
    }
    if case .none = output.content { return }
    try write("\n")
  }

  private func lines(of value: Value, _ terminal: TerminalTraits) -> String {
    let limit = terminal.rowLimit
    guard case .record(let record) = value else {
      return value.text(limit: limit).markdown + "\n"
    }
    return zip(record.keys, record.values).map { key, value in
      "- \(key.escapingControls().markdown): \(value.text(limit: limit).markdown)\n"
    }.joined()
  }

  /// The rows that are left out, after a blank line.
  private func paragraph(_ footer: TableFooter) -> String {
    footer.lines.map { "\n" + $0.markdown + "\n" }.joined()
  }

  private func table(
    _ output: Output, limit: Int?, _ write: (String) throws -> Void
  ) async throws {
    guard let rows = RowSet(output, for: .people, limit: limit) else { return }
    let header = rows.columns.map { $0.escapingControls().markdown }
    var hasHeader = false
    try await rows.forEachBatch { batch in
      if !hasHeader { try write(line(header) + rule(batch, columns: header.count)) }
      hasHeader = true
      try write(
        batch.map { row in line(row.map { ($0?.text(limit: limit) ?? "").markdown }) }.joined())
    }
    if !hasHeader { try write(line(header) + rule([], columns: header.count)) }
    try write(paragraph(rows.footer))
  }

  private func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// The line below the header. A column is aligned right if its values in `rows`, the first batch,
  /// are numbers and nulls, with at least one number.
  private func rule(_ rows: [[Value?]], columns: Int) -> String {
    line(
      (0..<columns).map { column in
        let values = rows.compactMap { $0[column] }.filter { !$0.isNull }
        return !values.isEmpty && values.allSatisfy(\.isNumber) ? "--:" : "---"
      })
  }
}

extension String {
  /// The string with escapes for characters that would end a cell or format its text.
  fileprivate var markdown: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\", "|", "`", "*", "_", "<": text += "\\"
      default: break
      }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
