internal import DisplayText

/// A page: bars, table views and lists as tables, which screen readers read row by row; boxes and
/// lanes as an image.
public struct HTMLDrawing: Drawing {
  public static let name = "html"
  public static let summary = "a page for a browser"
  public init() {}

  public func document(_ picture: Picture) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>\(picture.title.escapedForMarkup)</title>
    </head>
    <body>
    \(element(picture))</body>
    </html>

    """
  }

  /// The picture as an element for a document.
  public func element(_ picture: Picture) -> String {
    let rows =
      switch picture.content {
      case .bars(let bars): Self.rows(bars)
      case .table(let table): Self.rows(table)
      case .columns(let columns): Self.rows(columns)
      case .boxes, .lanes: String?.none
      }
    guard let rows else {
      return "<figure>\n" + SVGDrawing().document(picture) + "</figure>\n"
    }
    let note = picture.note.map { "<p class=\"more\">\($0.escapedForMarkup)</p>\n" } ?? ""
    return "<table>\n<caption>\(picture.title.escapedForMarkup)</caption>\n" + rows
      + "</table>\n" + note
  }

  private static func rows(_ bars: [Picture.Bar]) -> String {
    let longest = max(1, bars.map(\.length).max() ?? 0)
    return bars.map { bar in
      "<tr><th scope=\"row\">\(bar.label.escapedForMarkup)</th><td class=\"number\">\(bar.length)</td>"
        + "<td><meter max=\"\(longest)\" value=\"\(bar.length)\"></meter></td></tr>\n"
    }.joined()
  }

  /// Headers over all columns, and rows with a cell for the index title beside them.
  private static func rows(_ table: Picture.TableView) -> String {
    table.paddedLines.enumerated().map { number, line in
      let index = table.indexTitle(beside: number).map {
        "<td class=\"index\">\($0.escapedForMarkup)</td>"
      }
      let mark = line.mark.map { "<td><mark>\($0.text.escapedForMarkup)</mark></td>" }
      let cells = [
        Self.title(of: line), "<td>\(line.detail.escapedForMarkup)</td>",
        table.hasMarks ? mark ?? "<td></td>" : "",
        table.index.isEmpty ? "" : index ?? "<td></td>",
      ]
      return "<tr class=\"\(Self.style(of: line))\">\(cells.joined())</tr>\n"
    }.joined()
  }

  private static func title(of line: Picture.TableLine) -> String {
    let text = line.title.escapedForMarkup
    let element = line.kind == .header ? "th scope=\"rowgroup\"" : "td"
    let name = line.kind == .header ? "th" : "td"
    return switch line.mark?.kind {
    case .inserted: "<\(element)><ins>\(text)</ins></\(name)>"
    case .deleted: "<\(element)><del>\(text)</del></\(name)>"
    case .moved, .updated, nil: "<\(element)>\(text)</\(name)>"
    }
  }

  private static func style(of line: Picture.TableLine) -> String {
    let kind =
      switch line.kind {
      case .header: "header"
      case .row: "row"
      case .placeholder: "placeholder"
      case .gap: "more"
      }
    return line.mark.map { "\(kind) \($0.kind.rawValue)" } ?? kind
  }

  /// A column for each list, with the items at the same position in a row.
  private static func rows(_ columns: [Picture.Column]) -> String {
    let heads = columns.map { column in
      let notes = column.notes.map { "<br><small>\($0.escapedForMarkup)</small>" }
      return
        "<th scope=\"col\" colspan=\"2\">\(column.title.escapedForMarkup)\(notes.joined())</th>"
    }
    let rows = (0..<(columns.map(\.items.count).max() ?? 0)).map { row in
      let cells = columns.map { column -> String in
        guard column.items.indices.contains(row) else { return "<td colspan=\"2\"></td>" }
        let item = column.items[row]
        let label = item.label.escapedForMarkup
        return "<td>\(item.isDifferent ? "<mark>\(label)</mark>" : label)</td>"
          + "<td class=\"number\">\(item.detail.escapedForMarkup)</td>"
      }
      return "<tr>\(cells.joined())</tr>\n"
    }
    return "<tr>\(heads.joined())</tr>\n" + rows.joined()
  }
}
