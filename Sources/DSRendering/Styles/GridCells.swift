internal import DSInterpreter
internal import DataTables
internal import DisplayText

/// The cells of a grid that are shown to people.
struct GridCells {
  /// nil if the header is hidden.
  let header: [Cell]?
  let rows: [[Cell]]
  private let names: [String]
  private let hiddenRows: Int

  init(_ grid: Grid, for terminal: TerminalTraits) {
    let columns = grid.shownColumns(for: .people)
    names = columns.map { grid.columns[$0].header }
    let shown = grid.rows.prefix(terminal.rowLimit ?? grid.rows.count)
    hiddenRows = grid.rows.count - shown.count
    rows = shown.map { row in
      columns.map { Cell($0 < row.count ? row[$0] : Value?.none, for: terminal) }
    }
    header =
      grid.hidesHeader ? nil : names.map { Cell($0.escapingControls(), role: .heading) }
  }

  func footer(shownColumns: Int) -> TableFooter {
    TableFooter(hiddenRows: hiddenRows, hiddenColumns: Array(names[shownColumns...]))
  }
}
