public import DSInterpreter
internal import DataSources
internal import DataTables
internal import DisplayText
internal import Pictures

/// A document of HTML with tables; all text is escaped.
public struct HTMLStyle: DataStyle {
  public static let name = "html"
  public static let summary = "an HTML document with tables"
  public init() {}

  public var beginning: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <title>dsshell</title>
    <style>
    body { font-family: system-ui, sans-serif; }
    table { border-collapse: collapse; margin: 1em 0; }
    th, td { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: left; }
    td.number { text-align: right; }
    td.null, td.path, p.more { color: #888; }
    </style>
    </head>
    <body>

    """
  }

  public var end: String { "</body>\n</html>\n" }

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    let limit = terminal.rowLimit
    switch output.content {
    case .none: break
    case .value(let value): try write(paragraph(value.text(limit: limit)))
    case .object(let value): try write(table(of: value, limit: limit))
    case .list(let values):
      let shown = values.prefix(limit ?? values.count)
      let items = shown.map { "<li>\($0.text(limit: limit).escapedForMarkup)</li>\n" }.joined()
      try write("<ul>\n" + items + "</ul>\n")
      try write(text(of: TableFooter(hiddenRows: values.count - shown.count)))
    case .report(let report):
      let notes = report.notes.map { note in
        "<li>" + (note.subject.map { $0 + ": " } ?? "").escapedForMarkup
          + note.text.escapedForMarkup + "</li>\n"
      }
      try write(paragraph(report.headline))
      if !notes.isEmpty { try write("<ul>\n" + notes.joined() + "</ul>\n") }
    case .grid(let grid) where grid.rows.isEmpty && grid.placeholder != nil:
      if let placeholder = grid.placeholder, !placeholder.isEmpty {
        try write(paragraph(placeholder))
      }
    case .objects(let listing) where listing.showsIndexPaths:
      try await sections(of: listing, limit: limit, write)
    case .picture(let picture, _, _): try write(HTMLDrawing().element(picture))
    case .grid, .objects: try await rows(of: output, limit: limit, write)
    case .text(let lines, _):
      try write("<pre>" + lines.map { $0.escapedForMarkup + "\n" }.joined() + "</pre>\n")
    }
  }

  private func paragraph(_ text: String) -> String { "<p>\(text.escapedForMarkup)</p>\n" }

  private func text(of footer: TableFooter) -> String {
    footer.lines.map { "<p class=\"more\">\($0.escapedForMarkup)</p>\n" }.joined()
  }

  /// The keys and values of a record, or another value as a paragraph.
  private func table(of value: Value, limit: Int?) -> String {
    guard case .record(let record) = value else { return paragraph(value.text(limit: limit)) }
    let rows = zip(record.keys, record.values).map { key, value in
      "<tr><th scope=\"row\">\(key.escapedForMarkup)</th>\(cell(value, limit: limit))</tr>\n"
    }
    return "<table>\n" + rows.joined() + "</table>\n"
  }

  private func rows(
    of output: Output, limit: Int?, _ write: (String) throws -> Void
  ) async throws {
    guard let set = RowSet(output, for: .people, limit: limit) else { return }
    try write("<table>\n" + header(set.columns) + "<tbody>\n")
    try await set.forEachBatch { batch in
      try write(batch.map { row($0, limit: limit) }.joined())
    }
    try write("</tbody>\n</table>\n" + text(of: set.footer))
  }

  /// The objects of each section in a body of their own, below its title.
  private func sections(
    of listing: ObjectListing, limit: Int?, _ write: (String) throws -> Void
  ) async throws {
    let excerpt = listing.excerpt(limit: limit)
    let columns = ObjectColumns(listing.snapshot.store)
    let reader = ListingReader(excerpt)
    let width = columns.names.count + 1
    try write("<table>\n" + header([""] + columns.names))
    try await reader.forEachPart { index, section, title in
      try write("<tbody>\n")
      if listing.snapshot.store.numberOfSections > 1 || title != "" {
        try write(
          "<tr><th colspan=\"\(width)\" scope=\"rowgroup\">\(title.text.escapedForMarkup)</th></tr>\n"
        )
      }
      try await reader.forEachBatch(ofPart: index) { batch in
        for (position, object) in batch.objects.enumerated() {
          let path = "<td class=\"path\">[\(section), \(batch.firstRow + position)]</td>"
          try write(row(columns.values(of: object), limit: limit, after: path))
        }
      }
      let part = excerpt.part(index)
      if excerpt.countsRowsOfEachSection, part.hiddenRows > 0 {
        let footer = TableFooter(
          hiddenRows: part.hiddenRows, command: excerpt.command(forRowsAfter: part))
        let text = footer.lines.joined(separator: " ").escapedForMarkup
        try write("<tr><td class=\"path\" colspan=\"\(width)\">\(text)</td></tr>\n")
      }
      try write("</tbody>\n")
    }
    let footer = TableFooter(
      hiddenRows: excerpt.numberOfHiddenObjects, hiddenSections: excerpt.hiddenSections,
      command: excerpt.commandForRest)
    try write("</table>\n" + text(of: footer))
    if let placeholder = listing.placeholder { try write(paragraph(placeholder)) }
  }

  private func header(_ names: [String]) -> String {
    "<thead>\n<tr>" + names.map { "<th>\($0.escapedForMarkup)</th>" }.joined() + "</tr>\n</thead>\n"
  }

  private func row(_ values: [Value?], limit: Int?, after path: String = "") -> String {
    "<tr>" + path + values.map { cell($0, limit: limit) }.joined() + "</tr>\n"
  }

  private func cell(_ value: Value?, limit: Int?) -> String {
    guard let value else { return "<td></td>" }
    let kind = value.isNull ? " class=\"null\"" : value.isNumber ? " class=\"number\"" : ""
    return "<td\(kind)>\(value.text(limit: limit).escapedForMarkup)</td>"
  }
}
