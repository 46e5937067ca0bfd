public import DSInterpreter
internal import DataTables

/// Tables with lines around their cells, for people; everything else as in ``TableStyle``.
public struct BoxStyle: Style {
  public static let name = "box"
  public static let summary = "tables with lines around the cells, for people"
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    switch output.content {
    case .grid(let grid) where !grid.rows.isEmpty: try write(text(of: grid, for: terminal))
    case .objects(let listing):
      try await ListingTable(listing, terminal, rules: .box).render(write)
    default: try await TableStyle().render(output, for: terminal, write: write)
    }
  }

  private func text(of grid: Grid, for terminal: TerminalTraits) -> String {
    let table = GridCells(grid, for: terminal)
    let layout = ColumnLayout(
      header: table.header, rows: table.rows, available: terminal.width, rules: .box)
    let paint = Paint(terminal)
    let header = table.header.map {
      layout.line($0, paint: paint) + "\n" + layout.middleRule + "\n"
    }
    return layout.topRule + "\n" + (header ?? "")
      + table.rows.map { layout.line($0, paint: paint) + "\n" }.joined()
      + layout.bottomRule + "\n"
      + table.footer(shownColumns: layout.fitting.count).text(terminal)
  }
}
