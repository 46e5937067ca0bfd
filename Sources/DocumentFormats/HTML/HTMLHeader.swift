import DataTables

/// The keys of an HTML table.
struct HTMLHeader {
  private(set) var keys: [String]
  /// The number of rows of the header.
  private(set) var rows: Int
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - hasHeader: the value of `header:`; nil to decide by the cells.
  ///   - given: the value of `keys:`.
  /// - Throws: ``TableError/badArgument(_:)`` for too few keys.
  init(_ grid: HTMLGrid, hasHeader: Bool?, keys given: [String]?) throws(TableError) {
    let width = grid.width
    var marked = grid.rows.prefix { $0.isInHead }.count
    if marked == 0 { marked = grid.rows.prefix { $0.isHeader }.count }
    // A table of header cells alone has only one row of keys.
    if marked == grid.rows.count { marked = min(marked, 1) }
    rows = marked
    switch hasHeader {
    case false?: rows = 0
    case true?: rows = max(1, marked)
    case nil:
      if marked == 0, given == nil, Self.looksLikeHeader(grid) {
        rows = 1
        notes.append("the first row has the keys; `header: false` reads it as a row")
      }
    }
    rows = min(rows, grid.rows.count)
    if let given {
      guard given.count >= width else {
        throw HeaderKeys.mismatch(given, for: width, "columns")
      }
      keys = given
    } else if rows == 0 {
      keys = HeaderKeys.numbered(width)
    } else {
      let header = HeaderKeys(Self.names(grid.rows.prefix(rows), width: width))
      keys = header.keys
      notes += header.notes
    }
  }

  /// The texts of each column from top to bottom, without repetitions.
  private static func names(_ rows: ArraySlice<HTMLGrid.Row>, width: Int) -> [String] {
    (0..<width).map { column in
      var parts: [String] = []
      for row in rows where column < row.texts.count {
        let text = row.texts[column]
        if !text.isEmpty, parts.last != text { parts.append(text) }
      }
      return parts.joined(separator: " ")
    }
  }

  /// Whether the first row of a table without header cells consists of different texts, over a
  /// column of numbers.
  private static func looksLikeHeader(_ grid: HTMLGrid) -> Bool {
    guard let first = grid.rows.first, grid.rows.count > 1, first.texts.count == grid.width else {
      return false
    }
    let names = first.texts
    guard names.allSatisfy({ !$0.isEmpty && !isNumber($0) }), Set(names).count == names.count
    else { return false }
    return names.indices.contains { column in
      let cells = grid.rows.dropFirst().compactMap { row in
        column < row.texts.count && !row.texts[column].isEmpty ? row.texts[column] : nil
      }
      return !cells.isEmpty && cells.allSatisfy(isNumber)
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    switch Value(literal: text) {
    case .integer, .real, .date: true
    default: false
    }
  }
}
