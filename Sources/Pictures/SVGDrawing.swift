internal import DisplayText

/// A scalable image, in light and dark, with the texts as text.
public struct SVGDrawing: Drawing {
  public static let name = "svg"
  public static let summary = "an image of lines and text for documents and browsers"
  public init() {}

  // Sizes in pixels. A cell is the width of a character of the font, or a little more.
  static let cell = 8
  static let line = 18
  static let margin = 16
  private static let lengthOfBar = 320
  static let mostCellsOfLabel = 60

  public func document(_ picture: Picture) -> String {
    image(
      picture, attributes: " xmlns=\"http://www.w3.org/2000/svg\"",
      style: "<style>\n\(Self.style)</style>\n")
  }

  /// The picture as an element of a page that has ``style`` among its own styles.
  public func element(_ picture: Picture) -> String { image(picture, attributes: "", style: "") }

  private func image(_ picture: Picture, attributes: String, style: String) -> String {
    let drawn =
      switch picture.content {
      case .bars(let bars): elements(bars)
      case .boxes(let boxes, let arrows): elements(boxes, arrows)
      case .table(let table): elements(table)
      case .lanes(let lanes, let messages): elements(lanes, messages)
      case .columns(let columns): elements(columns)
      }
    var elements = drawn.elements
    var height = drawn.height + Self.margin
    if let note = picture.note {
      elements.append(text(note, x: Self.margin, y: height, style: "minor"))
      height += Self.margin
    }
    let texts = [picture.title, picture.note ?? ""].map { $0.escapingControls().displayWidth }
    let width = max(drawn.width, (texts.max() ?? 0) * Self.cell + Self.margin * 2)
    return """
      <svg\(attributes) role="img" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)">
      <title>\(picture.title.escapedForMarkup)</title>
      \(style)\(text(picture.title, x: Self.margin, y: Self.margin + 8, style: "title"))
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// The rules for images, in light and dark. They apply to nothing else on a page.
  public static let style = """
    svg { color-scheme: light dark; }
    svg text { font: 13px ui-monospace, monospace; fill: #222; white-space: pre; }
    svg .title { font-weight: bold; }
    svg .minor { fill: #666; }
    svg .bar { fill: #3b73b9; }
    svg .box { fill: #f5f7fa; stroke: #888; }
    svg .arrow, svg .head { stroke: #666; fill: none; }
    svg .head { fill: #666; }
    svg .view { fill: #fff; stroke: #888; }
    svg .header { fill: #eceff3; }
    svg .rule { stroke: #ddd; }
    svg .lane { stroke: #bbb; stroke-dasharray: 3 3; }
    svg .accent { fill: #3b73b9; }
    svg .failed { fill: #b3261e; }
    svg .inserted { fill: #d7f0dc; }
    svg .deleted { fill: #fbdcd9; }
    svg .moved { fill: #dce8fb; }
    svg .updated { fill: #fdf0c8; }
    @media (prefers-color-scheme: dark) {
    svg text { fill: #ddd; }
    svg .minor { fill: #999; }
    svg .bar { fill: #6ea3e6; }
    svg .box { fill: #26292e; stroke: #777; }
    svg .arrow, svg .head { stroke: #aaa; }
    svg .head { fill: #aaa; }
    svg .view { fill: #17191c; stroke: #777; }
    svg .header { fill: #2b2f36; }
    svg .rule { stroke: #383c42; }
    svg .lane { stroke: #666; }
    svg .accent { fill: #8ab8f0; }
    svg .failed { fill: #f2857d; }
    svg .inserted { fill: #1f4428; }
    svg .deleted { fill: #56241f; }
    svg .moved { fill: #1f3557; }
    svg .updated { fill: #4d3f12; }
    }

    """

  struct Drawn {
    var elements: [String]
    var width: Int
    var height: Int
  }

  func text(
    _ text: String, x: Int, y: Int, style: String = "", anchor: String = ""
  ) -> String {
    let kind = style.isEmpty ? "" : " class=\"\(style)\""
    let place = anchor.isEmpty ? "" : " text-anchor=\"\(anchor)\""
    return "<text x=\"\(x)\" y=\"\(y)\"\(kind)\(place)>\(text.escapedForMarkup)</text>"
  }

  // MARK: Bars

  private func elements(_ bars: [Picture.Bar]) -> Drawn {
    let labels = bars.map { $0.label.escapingControls().shortened(to: Self.mostCellsOfLabel) }
    let labelWidth = (labels.map(\.displayWidth).max() ?? 0) * Self.cell
    let longest = max(1, bars.map(\.length).max() ?? 0)
    let start = Self.margin + labelWidth + Self.cell
    var y = Self.margin * 3
    var elements: [String] = []
    for (bar, label) in zip(bars, labels) {
      // A bar that is not 0 is seen.
      let exact = Double(bar.length) / Double(longest) * Double(Self.lengthOfBar)
      let length = bar.length == 0 ? 0 : max(1, Int(exact.rounded()))
      elements.append(text(label, x: start - Self.cell, y: y + 13, anchor: "end"))
      elements.append(
        "<rect class=\"bar\" x=\"\(start)\" y=\"\(y)\" width=\"\(length)\" height=\"\(Self.line - 2)\"/>"
      )
      elements.append(text(String(bar.length), x: start + length + 6, y: y + 13))
      y += Self.line + 4
    }
    let numbers = String(longest).count * Self.cell
    return Drawn(
      elements: elements, width: start + Self.lengthOfBar + numbers + Self.margin * 2, height: y)
  }

  // MARK: Boxes

  /// The boxes in layers: each is below all boxes with arrows to it.
  private func elements(_ boxes: [Picture.Box], _ arrows: [Picture.Arrow]) -> Drawn {
    let layers = Layers(count: boxes.count, arrows: arrows)
    let texts = boxes.map { box in
      box.lines.map { $0.escapingControls().shortened(to: Self.mostCellsOfLabel) }
    }
    let widths = texts.map { (($0.map(\.displayWidth).max() ?? 0) + 2) * Self.cell }
    let heights = texts.map { $0.count * Self.line + 10 }
    let layerWidths = layers.rows.map { row in
      row.reduce(0) { $0 + widths[$1] } + max(0, row.count - 1) * Self.margin
    }
    let total = layerWidths.max() ?? 0
    var corners = [(x: Int, y: Int)](repeating: (0, 0), count: boxes.count)
    var y = Self.margin * 3
    for (row, width) in zip(layers.rows, layerWidths) {
      var x = Self.margin + (total - width) / 2
      for box in row {
        corners[box] = (x, y)
        x += widths[box] + Self.margin
      }
      y += (row.map { heights[$0] }.max() ?? 0) + Self.margin * 2
    }
    var elements: [String] = []
    for arrow in arrows {
      let x = corners[arrow.start].x + widths[arrow.start] / 2
      let top = corners[arrow.start].y + heights[arrow.start]
      let end = corners[arrow.end].x + widths[arrow.end] / 2
      let bottom = corners[arrow.end].y
      let middle = (top + bottom) / 2
      elements.append(
        "<path class=\"arrow\" d=\"M\(x) \(top) C\(x) \(middle) \(end) \(middle) \(end) \(bottom - 6)\"/>"
      )
      elements.append(
        "<path class=\"head\" d=\"M\(end - 4) \(bottom - 7) L\(end + 4) \(bottom - 7) L\(end) \(bottom) Z\"/>"
      )
    }
    for (box, lines) in texts.enumerated() {
      let (x, y) = corners[box]
      elements.append(
        "<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(widths[box])\" height=\"\(heights[box])\" rx=\"4\"/>"
      )
      for (index, line) in lines.enumerated() {
        elements.append(
          text(
            line, x: x + Self.cell, y: y + Self.line * (index + 1),
            style: index == 0 ? "title" : "minor"))
      }
    }
    return Drawn(elements: elements, width: total + Self.margin * 2, height: y - Self.margin)
  }
}

/// The rows in which boxes stand.
private struct Layers {
  /// The boxes of each row.
  private(set) var rows: [[Int]] = []

  /// Each box stands one row below the lowest box with an arrow to it.
  /// - Complexity: O(boxes + arrows). Boxes of a cycle stand in the last row.
  init(count: Int, arrows: [Picture.Arrow]) {
    var ends = [[Int]](repeating: [], count: count)
    var waiting = [Int](repeating: 0, count: count)
    for arrow in arrows {
      ends[arrow.start].append(arrow.end)
      waiting[arrow.end] += 1
    }
    var isPlaced = [Bool](repeating: false, count: count)
    var row = (0..<count).filter { waiting[$0] == 0 }
    while !row.isEmpty {
      rows.append(row)
      var next: [Int] = []
      for box in row {
        isPlaced[box] = true
        for end in ends[box] {
          waiting[end] -= 1
          if waiting[end] == 0 { next.append(end) }
        }
      }
      row = next
    }
    let rest = (0..<count).filter { !isPlaced[$0] }
    if !rest.isEmpty { rows.append(rest) }
  }
}
