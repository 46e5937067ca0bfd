import DataTables

/// The cells of a table by row and column: a cell that spans several is repeated in each.
struct HTMLGrid {
  struct Row {
    var texts: [String] = []
    /// Whether all cells are header cells.
    var isHeader = true
    var line: Int
    var isInHead: Bool
  }

  private(set) var rows: [Row] = []

  /// Spans may add this number of cells, and a multiple of the cells of the table.
  private static let maxAdded = 1_000_000
  private static let maxAddedPerCell = 8

  /// Rows without text are left out.
  /// - Throws: ``TableError/limit(_:setting:at:)`` if spans add too many cells.
  init(_ table: HTMLTable) throws(TableError) {
    var spans: Spans = [:]
    var group = 0
    var added = AddedCells()
    for row in table.rows {
      if row.group != group {
        spans = [:]
        group = row.group
      }
      added.limit += row.cells.count * Self.maxAddedPerCell
      let result = try Self.row(row, &spans, &added)
      if result.texts.contains(where: { !$0.isEmpty }) { rows.append(result) }
    }
  }

  /// Cells of rows above that extend to the next rows, by column; 0 rows for all of the group.
  private typealias Spans = [Int: (cell: HTMLTable.Cell, rows: Int)]

  /// The number of cells that spans have added.
  private struct AddedCells {
    var count = 0
    var limit = HTMLGrid.maxAdded
  }

  /// A row with the cells that extend to it; replaces the spans by those of the next row.
  private static func row(
    _ row: HTMLTable.Row, _ spans: inout Spans, _ added: inout AddedCells
  ) throws(TableError) -> Row {
    var next: Spans = [:]
    var result = Row(line: row.line, isInHead: row.isInHead)
    var cells = row.cells[...]
    while !cells.isEmpty || spans[result.texts.count] != nil {
      let column = result.texts.count
      if let (cell, left) = spans[column] {
        if left != 1 { next[column] = (cell, left == 0 ? 0 : left - 1) }
        result.append(cell)
        added.count += 1
      } else if let cell = cells.popFirst() {
        for part in 0..<cell.columns {
          if part > 0, spans[column + part] != nil { break }
          if cell.rows != 1 { next[column + part] = (cell, cell.rows == 0 ? 0 : cell.rows - 1) }
          result.append(cell)
        }
        added.count += cell.columns - 1
      }
      guard added.count <= added.limit else {
        throw .limit(
          "`colspan` and `rowspan` add over \(added.limit.grouped) cells", setting: "",
          at: TextPosition(line: row.line))
      }
    }
    // Spans beyond the last cell of the row.
    for (column, span) in spans where column > result.texts.count && span.rows != 1 {
      next[column] = (span.cell, span.rows == 0 ? 0 : span.rows - 1)
    }
    spans = next
    return result
  }

  /// The number of columns of the longest row.
  var width: Int { rows.reduce(0) { max($0, $1.texts.count) } }
}

extension HTMLGrid.Row {
  fileprivate mutating func append(_ cell: HTMLTable.Cell) {
    texts.append(cell.text)
    if !cell.isHeader { isHeader = false }
  }
}
