public import DSInterpreter
internal import DataTables
internal import DisplayText
internal import Pictures

/// Aligned columns and short lines, for people.
public struct TableStyle: Style {
  public static let name = "table"
  public static let summary = "aligned columns, for people"
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    switch output.content {
    case .none: break
    case .value(let value): try write(Cell(value, for: terminal).line(terminal))
    case .list(let values): try write(lines(of: values, for: terminal))
    case .object(.record(let record)): try write(Self.lines(of: record, for: terminal))
    case .object(let value): try write(Cell(value, for: terminal).line(terminal))
    case .report(let report): try write(Self.lines(of: report, for: terminal))
    case .grid(let grid): try write(lines(of: grid, for: terminal))
    case .picture(let picture, _, _):
      let lines = TextDrawing(width: terminal.textWidth).lines(picture)
      try write(lines.map { $0 + "\n" }.joined())
    case .objects(let listing): try await ListingTable(listing, terminal).render(write)
    case .text(let lines, _):
      let width = output.keepsLines ? nil : terminal.textWidth
      let shown = width == nil ? lines : output.paragraphs ?? lines
      try write(
        shown.flatMap { $0.escapingControls(keepsTabs: true).wrapped(to: width) }.map { $0 + "\n" }
          .joined())
    }
  }

  /// `key: value` lines.
  static func lines(of record: Record, for terminal: TerminalTraits) -> String {
    let paint = Paint(terminal)
    let shown = min(
      record.keys.count, terminal.rowLimit.map(TerminalTraits.nestedLimit) ?? .max)
    return zip(record.keys, record.values).prefix(shown).map { key, value in
      let key = key.escapingControls() + ":"
      return paint.bold(key) + " "
        + Cell(value, for: terminal).line(terminal, after: key.displayWidth + 1)
    }.joined()
      + TableFooter(hiddenKeys: record.keys.count - shown).text(terminal)
  }

  /// The headline, then the notes with their subjects in a column.
  static func lines(of report: Report, for terminal: TerminalTraits) -> String {
    let available = terminal.textWidth
    let width = report.notes.map { ($0.subject ?? "").escapingControls().displayWidth }.max() ?? 0
    let notes = report.notes.flatMap { note in
      let text = note.text.escapingControls()
      guard let subject = note.subject?.escapingControls() else {
        return ("  " + text).wrapped(to: available, indent: 2)
      }
      let padding = String(repeating: " ", count: width - subject.displayWidth + 2)
      return ("  " + subject + padding + text).wrapped(to: available, indent: width + 4)
    }
    let headline = report.headline.escapingControls().wrapped(to: available, indent: 2)
    return (headline + notes).map { $0 + "\n" }.joined()
  }

  private func lines(of values: [Value], for terminal: TerminalTraits) -> String {
    let shown = values.prefix(terminal.rowLimit ?? values.count)
    return shown.map { Cell($0, for: terminal).line(terminal) }.joined()
      + TableFooter(hiddenRows: values.count - shown.count).text(terminal)
  }

  private func lines(of grid: Grid, for terminal: TerminalTraits) -> String {
    if grid.rows.isEmpty, let placeholder = grid.placeholder {
      return placeholder.isEmpty ? "" : placeholder.escapingControls() + "\n"
    }
    let table = GridCells(grid, for: terminal)
    let layout = ColumnLayout(
      header: table.header, rows: table.rows, available: terminal.width)
    let paint = Paint(terminal)
    return ((table.header.map { [$0] } ?? []) + table.rows)
      .map { layout.line($0, paint: paint) + "\n" }.joined()
      + table.footer(shownColumns: layout.fitting.count).text(terminal)
  }
}

extension Cell {
  /// The whole cell up to the end of a line, or in several lines where the terminal breaks text.
  ///
  /// - Parameter used: the number of cells before it in the line.
  func line(_ terminal: TerminalTraits, after used: Int = 0) -> String {
    guard role == .text, let available = terminal.textWidth, used + width > available else {
      return shown(in: width, paint: Paint(terminal)) + "\n"
    }
    return text.wrapped(to: available, used: used, indent: used == 0 ? nil : 2)
      .map { $0 + "\n" }.joined()
  }
}
