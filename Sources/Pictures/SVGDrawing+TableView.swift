internal import DisplayText

// Table views as images: rows with lines between them, on the colors of their marks.
extension SVGDrawing {
  private static let row = 24
  private static let leastWidth = 280

  func elements(_ table: Picture.TableView) -> Drawn {
    let lines = table.paddedLines
    let marks = table.hasMarks ? (lines.compactMap { $0.mark?.text }.map(Self.cells).max() ?? 0) : 0
    let content =
      lines.map { line in
        Self.cells(line.title) + (line.detail.isEmpty ? 0 : Self.cells(line.detail) + 3)
      }.max() ?? 0
    let index = table.index.isEmpty ? 0 : (table.index.map(Self.cells).max() ?? 0) + 2
    let cells = content + (marks > 0 ? marks + 3 : 0) + index + 4
    let width = max(Self.leastWidth, cells * Self.cell)
    let (left, top) = (Self.margin, Self.margin * 3)
    let height = lines.count * Self.row
    var elements = [rectangle("view", x: left, y: top, width: width, height: max(1, height))]
    // The right edge of the details.
    let end = left + width - (index + 1) * Self.cell - (marks > 0 ? (marks + 3) * Self.cell : 0)
    for (number, line) in lines.enumerated() {
      let y = top + number * Self.row
      elements += self.elements(of: line, left: left, end: end, y: y, width: width)
      if let title = table.indexTitle(beside: number) {
        elements.append(
          text(
            Self.shown(title), x: left + width - Self.cell, y: y + 16, style: "accent",
            anchor: "end"))
      }
    }
    return Drawn(
      elements: elements, width: width + Self.margin * 2, height: top + height + Self.margin)
  }

  private func elements(
    of line: Picture.TableLine, left: Int, end: Int, y: Int, width: Int
  ) -> [String] {
    var elements: [String] = []
    let style = line.mark?.kind.rawValue ?? (line.kind == .header ? "header" : nil)
    if let style {
      elements.append(rectangle(style, x: left, y: y, width: width, height: Self.row))
    }
    elements.append(
      "<path class=\"rule\" d=\"M\(left) \(y + Self.row) h\(width)\"/>")
    let isInset = line.kind == .row || line.kind == .placeholder
    let start = left + Self.cell * (isInset ? 2 : 1)
    let titleStyle =
      switch line.kind {
      case .header: "title"
      case .row: ""
      case .placeholder, .gap: "minor"
      }
    elements.append(text(Self.shown(line.title), x: start, y: y + 16, style: titleStyle))
    if !line.detail.isEmpty {
      elements.append(
        text(Self.shown(line.detail), x: end, y: y + 16, style: "minor", anchor: "end"))
    }
    if let mark = line.mark {
      elements.append(text(Self.shown(mark.text), x: end + Self.cell * 2, y: y + 16))
    }
    return elements
  }

  static func shown(_ text: String) -> String {
    text.escapingControls().shortened(to: mostCellsOfLabel)
  }

  /// The cells of a text as it is drawn.
  static func cells(_ text: String) -> Int { shown(text).displayWidth }

  func rectangle(
    _ style: String, x: Int, y: Int, width: Int, height: Int, radius: Int = 0
  ) -> String {
    let corners = radius > 0 ? " rx=\"\(radius)\"" : ""
    return "<rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\""
      + "\(corners)/>"
  }
}
