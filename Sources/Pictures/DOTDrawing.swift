internal import DisplayText

/// A graph in the language of Graphviz.
public struct DOTDrawing: Drawing {
  public static let name = "dot"
  public static let summary = "a graph for Graphviz"
  public init() {}

  /// The length of the longest bar in points.
  private static let lengthOfBar = 240

  public func document(_ picture: Picture) -> String {
    let lines =
      switch picture.content {
      case .bars(let bars): lines(bars)
      case .boxes(let boxes, let arrows): lines(boxes, arrows)
      case .table(let table): lines(table)
      case .lanes(let lanes, let messages): lines(lanes, messages)
      case .columns(let columns): lines(columns)
      }
    let label = ([picture.title] + (picture.note.map { [$0] } ?? []))
      .map(\.dot).joined(separator: "\\n")
    return (["digraph {", "  label=\"\(label)\" labelloc=t"] + lines + ["}"]).map { $0 + "\n" }
      .joined()
  }

  private func lines(
    _ boxes: [Picture.Box], _ arrows: [Picture.Arrow]
  ) -> [String] {
    ["  node [shape=box style=rounded]"]
      + boxes.enumerated().map { index, box in
        "  b\(index) [label=\"" + box.lines.map(\.dot).joined(separator: "\\n") + "\"]"
      }
      + arrows.map { "  b\($0.start) -> b\($0.end)" }
  }

  /// One node with a table, because a graph has no bars.
  private func lines(_ bars: [Picture.Bar]) -> [String] {
    // A table needs a row.
    if bars.isEmpty { return [] }
    let longest = max(1, bars.map(\.length).max() ?? 0)
    let rows = bars.map { bar in
      let exact = Double(bar.length) / Double(longest) * Double(Self.lengthOfBar)
      let length = max(1, Int(exact.rounded()))
      let color = bar.length == 0 ? "" : " bgcolor=\"#3b73b9\""
      return "    <tr><td align=\"right\">\(bar.label.dotMarkup)</td>"
        + "<td align=\"left\"><table border=\"0\" cellborder=\"0\" cellspacing=\"0\"><tr>"
        + "<td fixedsize=\"true\" width=\"\(length)\" height=\"14\"\(color)></td>"
        + "<td>\(bar.length)</td></tr></table></td></tr>"
    }
    return ["  chart [shape=plain label=<<table border=\"0\" cellborder=\"0\">"] + rows
      + ["  </table>>]"]
  }
}

extension String {
  /// The text in a label with markup, where Graphviz reads escapes with a backslash too.
  var dotMarkup: String { escapedForMarkup.replacing("\\", with: "&#92;") }

  /// The text inside quotes.
  fileprivate var dot: String {
    // Graphviz reads entities also inside quotes.
    escapingControls().replacing("&", with: "&amp;").replacing("\\", with: "\\\\")
      .replacing("\"", with: "\\\"")
  }
}
