internal import DisplayText

/// A diagram in Mermaid's language, which documents on many servers show.
public struct MermaidDrawing: Drawing {
  public static let name = "mermaid"
  public static let summary = "a diagram of Mermaid for documents"
  public init() {}

  public func document(_ picture: Picture) -> String {
    // A diagram has no place for a note but its title.
    let title = picture.title + (picture.note.map { " (\($0))" } ?? "")
    let lines =
      switch picture.content {
      case .bars(let bars): lines(bars, title: title)
      case .boxes(let boxes, let arrows): lines(boxes, arrows, title: title)
      case .table(let table): lines(table, title: title)
      case .lanes(let lanes, let messages): lines(lanes, messages, title: title)
      case .columns(let columns): lines(columns, title: title)
      }
    return lines.map { $0 + "\n" }.joined()
  }

  private func lines(_ bars: [Picture.Bar], title: String) -> [String] {
    // A chart needs a bar.
    let bars = bars.isEmpty ? [Picture.Bar(" ", length: 0)] : bars
    // Bars with equal labels would be drawn over each other.
    var uses: [String: Int] = [:]
    let labels = bars.map { bar -> String in
      let label = bar.label.mermaid
      uses[label, default: 0] += 1
      let use = uses[label, default: 1]
      return use == 1 ? label : "\(label) (\(use))"
    }
    return [
      "xychart-beta horizontal", "  title \"\(title.mermaid)\"",
      "  x-axis [" + labels.map { "\"\($0)\"" }.joined(separator: ", ") + "]",
      "  y-axis 0 --> \(max(1, bars.map(\.length).max() ?? 0))",
      "  bar [" + bars.map { String($0.length) }.joined(separator: ", ") + "]",
    ]
  }

  private func lines(
    _ boxes: [Picture.Box], _ arrows: [Picture.Arrow], title: String
  ) -> [String] {
    ["flowchart TD", "  accTitle: \(title.mermaid)"]
      + boxes.enumerated().map { index, box in
        "  b\(index)[\"" + box.lines.map(\.mermaid).joined(separator: "<br/>") + "\"]"
      }
      + arrows.map { "  b\($0.start) --> b\($0.end)" }
  }
}

extension String {
  /// A line inside quotes. Characters with a meaning in diagrams or in Markdown are numbered entities,
  /// as Mermaid writes them: `#34;`.
  var mermaid: String {
    var text = ""
    let line = escapingControls()
    let marker = line.listMarker
    let scalars = line.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      switch scalar {
      case "\"", "#", "&", "<", ">", "`", ";", "\\", "%", "*", "_": text += "#\(scalar.value);"
      case _ where index == marker: text += "#\(scalar.value);"
      default: text.unicodeScalars.append(scalar)
      }
    }
    // An empty string is not a label.
    return text.isEmpty ? " " : text
  }

  /// The character that makes a line an item of a list in Markdown: `-`, `+`, or the mark after the
  /// digits of `1. ` and `1) `; nil for other lines. Mermaid refuses labels that are lists.
  private var listMarker: String.Index? {
    let text = drop { $0 == " " }
    let mark = text.drop { $0.isASCII && $0.isNumber }
    guard let first = mark.first else { return nil }
    let isMarker = mark.startIndex == text.startIndex ? "-+".contains(first) : ".)".contains(first)
    return isMarker ? mark.startIndex : nil
  }
}
