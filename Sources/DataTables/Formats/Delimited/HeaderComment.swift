/// A header in the last comment line before the rows of a table: `#code<tab>name`.
struct HeaderComment {
  let rows: SampleRows
  /// The header after the comment prefix and spaces.
  private let header: SampleRows.Row
  private let first: SampleRows.Row
  private let comments: Int

  /// nil if the comment line directly before the first row does not have as many names as a complete
  /// row has fields, or if the first row is the header.
  init?(of reading: TableReading) {
    let rows = reading.rows
    guard let comment = rows.comments.last, let first = rows.rows.first,
      comment.end == first.start, let header = rows.row(inComment: comment)
    else { return nil }
    let names = rows.cells(of: header)
    // Rows may be short; few are longer, and are rejected.
    let fields = rows.rows.map(\.fields)
    guard names.count > 1, fields.contains(names.count),
      fields.count(where: { $0 > names.count }) * 4 <= fields.count,
      HeaderGuess.areKeys(names),
      // A sentence may have as many commas.
      rows.dialect.delimiter == UInt8(ascii: "\t")
        || names.allSatisfy({ !$0.trimmed.utf8.contains(UInt8(ascii: " ")) })
    else { return nil }
    let cells = rows.rows.prefix(30).map { rows.cells(of: $0) }
    guard cells.first != names, HeaderGuess(names, above: cells) != .data,
      HeaderGuess(cells.first ?? [], above: Array(cells.dropFirst())) != .header
    else { return nil }
    (self.rows, self.header, self.first) = (rows, header, first)
    comments = rows.comments.count - 1
  }

  func apply(to layout: inout TableLayout, plain: Dialect) {
    layout.dialect = rows.dialect
    layout.header = .comment
    layout.start = rows.offset(of: header)
    layout.width = header.fields
    layout.comments = comments
    if let labels = rows.dialect.labels(unlike: plain).joined {
      layout.notes.append("detected \(labels)")
    }
    let (line, next) = (rows.line(of: header), rows.line(of: first))
    let labels = SuggestedLabels("header", "true")
    layout.notes.append(
      "line \(line), a comment, is the header; add \(labels) to read line \(next) as the header")
  }
}
