import DataTables

/// Reads a table of an HTML document.
struct HTMLReader {
  let bytes: any ByteStore
  /// The number of the table, from 1; nil for the largest one.
  var table: Int?
  var hasHeader: Bool?
  var keys: [String]?
  /// The value of `encoding:`.
  var encoding: String?
  var limits = ReadLimits()
  var cancellation = Cancellation()

  /// - Throws: ``TableError``.
  func read() throws -> DocumentContent {
    let encoding = try HTMLEncoding(bytes, named: encoding)
    let parser = try XMLParser(.html, encoding: encoding.name, limits: limits)
    var reader = HTMLTableReader(parser)
    try parser.parse(bytes, cancellation: cancellation) { try reader.take($0) }
    reader.finish()
    let number = try choose(reader.tables)
    let grid = try HTMLGrid(reader.tables[number - 1])
    let header = try HTMLHeader(grid, hasHeader: hasHeader, keys: keys)
    let shape = Record.Shape(header.keys)
    let body = grid.rows.dropFirst(header.rows)
    // A title or a menu that is written as a table.
    if table == nil, body.isEmpty, header.keys.count < 2 { throw Self.noTable }
    try DocumentColumns.check(
      rows: body.count, columns: header.keys.count,
      values: body.reduce(0) { $0 + $1.texts.count })
    let rows = body.map { row in
      let texts = row.texts.map { $0.isEmpty ? Value.null : .string($0) }
      let missing = header.keys.count - texts.count
      return Value.record(
        Record(shape: shape, values: texts + [Value](repeating: .null, count: missing)))
    }
    var content = DocumentContent(rows: rows, lines: body.map(\.line))
    content.encoding = encoding.description
    content.notes = header.notes
    if let note = note(reader.tables, chosen: number) { content.notes.insert(note, at: 0) }
    if try HTMLEnd(of: bytes).isWithinTable {
      content.notes.append("the document ends within a table: it may be truncated")
    }
    return content
  }

  /// The error of a document without a table, or whose largest table is one header cell.
  static let noTable = TableError.format("the document is HTML without a table", at: nil)

  /// The number of the table to read.
  private func choose(_ tables: [HTMLTable]) throws(TableError) -> Int {
    guard let largest = tables.indices.max(by: { tables[$0].size < tables[$1].size }) else {
      throw Self.noTable
    }
    guard let table else {
      // The first one of equally large tables.
      return (tables.firstIndex { $0.size == tables[largest].size } ?? largest) + 1
    }
    guard tables.indices.contains(table - 1) else {
      throw .badArgument(
        "`table: \(table)` does not exist: the document has \(tables.count.counted("table")), the "
          + "last `table: \(tables.count)`")
    }
    return table
  }

  /// The choice and the other tables, for the load report.
  private func note(_ tables: [HTMLTable], chosen: Int) -> String? {
    guard table == nil, tables.count > 1 else { return nil }
    let others = tables.indices.filter { $0 != chosen - 1 && tables[$0].size > 0 }
      .sorted { (tables[$1].size, $0) < (tables[$0].size, $1) }
    let list = others.prefix(3).map { index in
      let caption = tables[index].caption.isEmpty ? "" : ", \"\(tables[index].caption.prefix(40))\""
      let count = tables[index].rows.count
      return "`table: \(index + 1)` has \(count == 1 ? "1 row" : "\(count) rows")\(caption)"
    }
    let chosen = "table \(chosen) of \(tables.count), the largest"
    return ([chosen] + list).joined(separator: "; ")
  }
}
