internal import DisplayText

// Lists side by side as text.
extension TextDrawing {
  private static let gap = 3
  private static let leastCells = 16

  func lines(_ columns: [Picture.Column]) -> [String] {
    let room = (width - Self.gap * max(0, columns.count - 1)) / max(1, columns.count)
    let cells = max(Self.leastCells, room)
    let texts = columns.map { Self.lines(of: $0, cells: cells) }
    let heights = columns.indices.map { column in
      (head: texts[column].head.count, items: texts[column].items.count)
    }
    // The lists begin in the same line.
    let head = heights.map(\.head).max() ?? 0
    let items = heights.map(\.items).max() ?? 0
    let widths = texts.map { text in
      (text.head + text.items).map(\.displayWidth).max() ?? 0
    }
    return (0..<head + items).map { line in
      columns.indices.map { column -> String in
        let (top, list) = texts[column]
        let text =
          line < head
          ? (top.indices.contains(line) ? top[line] : "")
          : (list.indices.contains(line - head) ? list[line - head] : "")
        return text.padded(to: widths[column])
      }.joined(separator: String(repeating: " ", count: Self.gap)).trimmed
    }
  }

  /// The title with the notes, and the items with their details in a column.
  private static func lines(
    of column: Picture.Column, cells: Int
  ) -> (head: [String], items: [String]) {
    let details = column.items.map { $0.detail.escapingControls().shortened(to: cells / 2) }
    let detail = details.map(\.displayWidth).max() ?? 0
    let room = cells - 2 - (detail > 0 ? detail + 2 : 0)
    let labels = column.items.map { $0.label.escapingControls().shortened(to: room) }
    let label = labels.map(\.displayWidth).max() ?? 0
    let items = column.items.indices.map { index in
      let sign = column.items[index].isDifferent ? "* " : "  "
      return sign + labels[index].padded(to: label)
        + (detail > 0 ? "  " + details[index].aligned(to: detail) : "")
    }
    let head =
      [column.title.escapingControls().shortened(to: cells)]
      + column.notes.flatMap { $0.escapingControls().broken(into: cells) }
    return (head, items)
  }
}
