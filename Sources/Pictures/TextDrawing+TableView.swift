internal import DisplayText

// Table views as text.
extension TextDrawing {
  func lines(_ table: Picture.TableView) -> [String] {
    var layout = TableLayout(table)
    layout.fit(width - 4)
    let edge = String(repeating: "─", count: layout.width + 2)
    let lines = table.paddedLines.indices.map { "│ " + layout.line($0) + " │" }
    return ["┌\(edge)┐"] + lines + ["└\(edge)┘"]
  }

  /// The lines of a table view without a frame, each over the whole width: a part of a screen.
  public func screen(_ table: Picture.TableView) -> [String] {
    var layout = TableLayout(table)
    layout.fill(width)
    return table.paddedLines.indices.map { layout.line($0) }
  }
}

/// The widths of the columns of a table view in a text.
private struct TableLayout {
  private let table: Picture.TableView
  private let lines: [Picture.TableLine]
  private var title = 0
  private var detail = 0
  private let mark: Int
  private let index: Int

  private static let mostCellsOfIndex = 4
  /// The least width of a title, even if the line is too long then.
  private static let leastTitle = 8
  private static let gap = 2

  init(_ table: Picture.TableView) {
    self.table = table
    // Texts are long or have controls only before they are drawn, and are measured as drawn.
    lines = table.paddedLines.map { line in
      var line = line
      line.title =
        (line.kind == .row || line.kind == .placeholder ? "  " : "")
        + line.title.escapingControls()
      line.detail = line.detail.escapingControls()
      return line
    }
    mark = lines.compactMap { $0.mark?.text.escapingControls().displayWidth }.max() ?? 0
    index = min(
      Self.mostCellsOfIndex,
      table.index.map { $0.escapingControls().displayWidth }.max() ?? 0)
    title = lines.map { $0.title.displayWidth }.max() ?? 0
    detail = lines.map { $0.detail.displayWidth }.max() ?? 0
  }

  /// The cells of the columns beside the title and the detail.
  private var rest: Int {
    (mark > 0 ? mark + Self.gap + 2 : 0) + (index > 0 ? index + Self.gap : 0)
  }

  var width: Int { title + (detail > 0 ? detail + Self.gap : 0) + rest }

  /// Shortens the columns to an available width; the longer one of two first.
  mutating func fit(_ available: Int) {
    let room = max(Self.leastTitle, available - rest)
    guard title + (detail > 0 ? detail + Self.gap : 0) > room else { return }
    detail = min(detail, max(room - title - Self.gap, room / 3))
    title = max(Self.leastTitle, room - (detail > 0 ? detail + Self.gap : 0))
  }

  /// Uses all of an available width.
  mutating func fill(_ available: Int) {
    fit(available)
    title += max(0, available - width)
  }

  func line(_ number: Int) -> String {
    let line = lines[number]
    var text = mark > 0 ? "\(line.mark?.sign ?? " ") " : ""
    // A text without a detail beside it has its room too.
    let room = title + (detail > 0 ? detail + Self.gap : 0)
    let detail = line.detail.shortened(to: self.detail)
    let used = detail.isEmpty ? 0 : detail.displayWidth + Self.gap
    text += line.title.shortened(to: room - used).padded(to: room - used)
    if !detail.isEmpty { text += String(repeating: " ", count: Self.gap) + detail }
    if mark > 0 {
      let words = (line.mark?.text ?? "").escapingControls()
      text += String(repeating: " ", count: Self.gap) + words.padded(to: mark)
    }
    if index > 0 {
      let words = (table.indexTitle(beside: number) ?? "").escapingControls()
      text += String(repeating: " ", count: Self.gap)
      text += words.shortened(to: index).padded(to: index)
    }
    return text
  }
}
