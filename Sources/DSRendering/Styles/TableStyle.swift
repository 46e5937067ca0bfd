public import DSInterpreter
internal import DataTables

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
    case .value(let value): try write(Cell(value).line(terminal))
    case .list(let values): try write(lines(of: values, for: terminal))
    case .object(.record(let record)): try write(Self.lines(of: record, for: terminal))
    case .object(let value): try write(Cell(value).line(terminal))
    case .report(let report): try write(Self.lines(of: report))
    case .grid(let grid): try write(lines(of: grid, for: terminal))
    case .objects(let listing): try await ListingTable(listing, terminal).render(write)
    case .text(let lines, _):
      try write(lines.map { $0.escapingControls(keepsTabs: true) + "\n" }.joined())
    }
  }

  /// `key: value` lines.
  static func lines(of record: Record, for terminal: TerminalTraits) -> String {
    let paint = Paint(terminal)
    return zip(record.keys, record.values).map { key, value in
      paint.bold(key.escapingControls() + ":") + " " + Cell(value).line(terminal)
    }.joined()
  }

  /// The headline, then the notes with their subjects in a column.
  static func lines(of report: Report) -> String {
    let width = report.notes.map { ($0.subject ?? "").escapingControls().displayWidth }.max() ?? 0
    let notes = report.notes.map { note in
      guard let subject = note.subject?.escapingControls() else {
        return "  " + note.text.escapingControls() + "\n"
      }
      let padding = String(repeating: " ", count: width - subject.displayWidth + 2)
      return "  " + subject + padding + note.text.escapingControls() + "\n"
    }
    return report.headline.escapingControls() + "\n" + notes.joined()
  }

  private func lines(of values: [Value], for terminal: TerminalTraits) -> String {
    let shown = values.prefix(terminal.rowLimit ?? values.count)
    return shown.map { Cell($0).line(terminal) }.joined()
      + TableFooter(hiddenRows: values.count - shown.count).text(terminal)
  }

  private func lines(of grid: Grid, for terminal: TerminalTraits) -> String {
    if grid.rows.isEmpty, let placeholder = grid.placeholder {
      return placeholder.isEmpty ? "" : placeholder.escapingControls() + "\n"
    }
    let columns = grid.shownColumns(for: .people)
    let shown = grid.rows.prefix(terminal.rowLimit ?? grid.rows.count)
    let rows = shown.map { row in columns.map { Cell($0 < row.count ? row[$0] : Value?.none) } }
    let header = columns.map {
      Cell(grid.columns[$0].header.escapingControls(), role: .heading)
    }
    let layout = ColumnLayout(
      header: grid.hidesHeader ? nil : header, rows: rows, available: terminal.width)
    let hidden = columns[layout.fitting.upperBound...].map { grid.columns[$0].header }
    let paint = Paint(terminal)
    return ((grid.hidesHeader ? [] : [header]) + rows)
      .map { layout.line($0, paint: paint) + "\n" }.joined()
      + TableFooter(hiddenRows: grid.rows.count - shown.count, hiddenColumns: hidden).text(terminal)
  }
}

extension Cell {
  /// The whole cell on a line of its own.
  func line(_ terminal: TerminalTraits) -> String {
    shown(in: width, paint: Paint(terminal)) + "\n"
  }
}

/// The lines below a table that is not shown in full.
struct TableFooter {
  var hiddenRows = 0
  /// The number of sections after the last shown section. The footer reports it only if
  /// ``hiddenRows`` is 0: none of these sections has objects then.
  var hiddenSections = 0
  var hiddenColumns: [String] = []

  func text(_ terminal: TerminalTraits) -> String {
    var lines: [String] = []
    if hiddenRows > 0 {
      lines.append("… \(hiddenRows.grouped) more")
    } else if hiddenSections > 0 {
      lines.append("… \(hiddenSections.grouped) more sections without objects")
    }
    if !hiddenColumns.isEmpty {
      let names = hiddenColumns.map { $0.escapingControls() }.joined(separator: ", ")
      let noun = hiddenColumns.count == 1 ? "column" : "columns"
      lines.append("… \(hiddenColumns.count.grouped) more \(noun): \(names)")
    }
    let paint = Paint(terminal)
    return lines.map { line in
      paint.dim(terminal.width.map(line.shortened(to:)) ?? line) + "\n"
    }.joined()
  }
}
