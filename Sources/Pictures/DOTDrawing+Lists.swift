// Table views, lists and lanes as one node with a table.
extension DOTDrawing {
  func lines(_ table: Picture.TableView) -> [String] {
    Self.table(
      table.paddedLines.enumerated().map { number, line in
        let color =
          switch line.mark?.kind {
          case .inserted: "#d7f0dc"
          case .deleted: "#fbdcd9"
          case .moved: "#dce8fb"
          case .updated: "#fdf0c8"
          case nil: line.kind == .header ? "#eceff3" : "#ffffff"
          }
        let title = line.kind == .header ? "<b>\(Self.cell(line.title))</b>" : Self.cell(line.title)
        return "<td align=\"left\" bgcolor=\"\(color)\">\(title)</td>"
          + "<td align=\"right\" bgcolor=\"\(color)\">\(Self.cell(line.detail))</td>"
          + (table.hasMarks ? "<td align=\"left\">\(Self.cell(line.mark?.text ?? ""))</td>" : "")
          + (table.index.isEmpty
            ? "" : "<td>\(Self.cell(table.indexTitle(beside: number) ?? ""))</td>")
      })
  }

  func lines(_ columns: [Picture.Column]) -> [String] {
    if columns.isEmpty { return [] }
    let head = columns.map { column in
      "<td colspan=\"2\"><b>\(Self.cell(column.title))</b>"
        + column.notes.map { "<br/>\(Self.cell($0))" }.joined() + "</td>"
    }
    let rows = (0..<(columns.map(\.items.count).max() ?? 0)).map { row in
      columns.map { column -> String in
        guard column.items.indices.contains(row) else { return "<td colspan=\"2\"> </td>" }
        let item = column.items[row]
        let color = item.isDifferent ? " bgcolor=\"#fdf0c8\"" : ""
        return "<td align=\"left\"\(color)>\(Self.cell(item.label))</td>"
          + "<td align=\"right\"\(color)>\(Self.cell(item.detail))</td>"
      }.joined()
    }
    return Self.table([head.joined()] + rows)
  }

  /// A column for each lane, and a row for each message, whose cell spans the lanes that it crosses.
  func lines(_ lanes: [Picture.Lane], _ messages: [Picture.Message]) -> [String] {
    if lanes.isEmpty { return [] }
    let head = lanes.map { "<td border=\"1\"><b>\(Self.cell($0.name))</b></td>" }.joined()
    let rows = messages.map { message -> String in
      let span = message.span
      let isLeft = message.ends.contains { $0 < message.start }
      let isRight = message.ends.contains { $0 > message.start }
      let color = message.isFailure ? " color=\"#b3261e\"" : ""
      let label = (isLeft ? "← " : "") + Self.cell(message.label) + (isRight ? " →" : "")
      return String(repeating: "<td> </td>", count: span.lowerBound)
        + "<td colspan=\"\(span.count)\"\(color)>\(label)</td>"
        + String(repeating: "<td> </td>", count: lanes.count - 1 - span.upperBound)
    }
    return Self.table([head] + rows)
  }

  /// A text in a cell, which must not be empty.
  private static func cell(_ text: String) -> String {
    text.isEmpty ? " " : text.dotMarkup
  }

  private static func table(_ rows: [String]) -> [String] {
    // A table needs a row.
    if rows.isEmpty { return [] }
    return ["  chart [shape=plain label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"2\">"]
      + rows.map { "    <tr>\($0)</tr>" } + ["  </table>>]"]
  }
}
