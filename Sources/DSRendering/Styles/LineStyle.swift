public import DSInterpreter
internal import DataTables
internal import DisplayText

/// One `key: value` per line, with a blank line between rows.
public struct LineStyle: Style {
  public static let name = "line"
  public static let summary = "one `key: value` a line, a blank line between rows"
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    var hasText = false
    try await lines(output, terminal) { text in
      hasText = hasText || !text.isEmpty
      try write(text)
    }
    // A blank line separates this output from the output of the next command, as in Markdown.
    if hasText { try write("\n") }
  }

  private func lines(
    _ output: Output, _ terminal: TerminalTraits, _ write: (String) throws -> Void
  ) async throws {
    switch output.content {
    case .grid(let grid) where grid.rows.isEmpty && grid.placeholder != nil:
      try await TableStyle().render(output, for: terminal, write: write)
    case .grid, .objects: try await blocks(output, terminal, write)
    case .report(let report):
      try write(TableStyle.lines(of: report.data, for: terminal))
    default:
      try await TableStyle().render(output, for: terminal, write: write)
    }
  }

  private func blocks(
    _ output: Output, _ terminal: TerminalTraits, _ write: (String) throws -> Void
  ) async throws {
    guard let rows = RowSet(output, for: .people, limit: terminal.rowLimit) else { return }
    let paint = Paint(terminal)
    let keys = rows.columns.map { paint.bold($0.escapingControls() + ":") }
    let isValue = rows.columns == [RowSet.valueColumn]
    var separator = ""
    try await rows.forEachBatch { batch in
      for row in batch {
        let lines = zip(keys, row).compactMap { key, value in
          value.map { (isValue ? "" : key + " ") + Cell($0, for: terminal).line(terminal) }
        }
        try write(separator + lines.joined())
        separator = isValue ? "" : "\n"
      }
    }
    let footer = rows.footer.text(terminal)
    if !footer.isEmpty { try write(separator + footer) }
  }
}
