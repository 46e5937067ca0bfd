internal import DisplayText

// Lists side by side, as images.
extension SVGDrawing {
  private static let row = 22
  private static let leastCells = 16
  private static let mostCells = 40

  func elements(_ columns: [Picture.Column]) -> Drawn {
    let top = Self.margin * 3
    let widths = columns.map(Self.cells(of:))
    let notes = zip(columns, widths).map { column, width in
      column.notes.flatMap { $0.escapingControls().broken(into: width) }
    }
    let head = Self.line * ((notes.map(\.count).max() ?? 0) + 1) + Self.margin / 2
    let rows = columns.map(\.items.count).max() ?? 0
    var elements: [String] = []
    var x = Self.margin
    for (number, column) in columns.enumerated() {
      let width = widths[number] * Self.cell
      elements.append(text(Self.shown(column.title), x: x, y: top + 13, style: "title"))
      for (line, note) in notes[number].enumerated() {
        elements.append(text(note, x: x, y: top + 13 + Self.line * (line + 1), style: "minor"))
      }
      for (line, item) in column.items.enumerated() {
        let y = top + head + line * Self.row
        elements.append(
          rectangle(
            item.isDifferent ? "updated" : "header", x: x, y: y, width: width,
            height: Self.row - 2))
        let room = widths[number] - Self.cells(item.detail) - 3
        elements.append(
          text(
            item.label.escapingControls().shortened(to: room), x: x + Self.cell, y: y + 15))
        elements.append(
          text(
            Self.shown(item.detail), x: x + width - Self.cell, y: y + 15, style: "minor",
            anchor: "end"))
      }
      x += width + Self.margin
    }
    return Drawn(elements: elements, width: x, height: top + head + rows * Self.row + Self.margin)
  }

  private static func cells(of column: Picture.Column) -> Int {
    let items = column.items.map { cells($0.label) + cells($0.detail) + 4 }
    let natural = max(items.max() ?? 0, cells(column.title), leastCells)
    // Notes are broken into lines of about this width.
    let notes = column.notes.map { min(cells($0), leastCells * 2) }.max() ?? 0
    return min(mostCells, max(natural, notes))
  }
}
