internal import CScan

extension DelimitedTable: RewritableTable {
  package func rewritten(
    _ rows: [RewrittenRow], cancellation: Cancellation
  ) throws -> [RewrittenText] {
    guard dialect.lines == nil else {
      throw TableError.badArgument(
        "lines without delimiters cannot be written back; name a file to write all rows")
    }
    let lineEnd = try lineEndBytes()
    let last = try store.bytes(max(0, store.count - 1)..<store.count).last
    var rewriting = LineRewriting(
      count: count, size: store.count, lineEnd: lineEnd,
      isOpen: last.map { $0 != 0x0A && $0 != 0x0D } ?? false
    ) { row in try self.range(of: row) }
    /// The row above, whose style inserted rows have.
    var neighbor = 0
    for row in rows {
      try cancellation.check()
      switch row {
      case .kept(let range):
        try rewriting.keep(range)
        neighbor = max(0, range.upperBound - 1)
      case .replaced(let row, let object):
        let old = try RowText(self, row)
        try rewriting.replace(row, content: old.content.count, with: old.replacing(object))
        neighbor = row
      case .inserted(let object):
        let template = count > 0 ? try RowText(self, neighbor) : nil
        try rewriting.insert(try RowText.inserting(object, like: template, into: self))
      }
    }
    let parts = try rewriting.finish()
    try checkLineEnds(of: parts)
    return parts
  }

  /// Checks that CR still ends lines: in a text with mixed line ends, the lines decide whether it does.
  private func checkLineEnds(of parts: [RewrittenText]) throws {
    guard dialect.lineEnds == .any, try readsReturnAsField(in: parts) else { return }
    // If the text before the edits reads CR in the same way, they change nothing.
    if try readsReturnAsField(in: [.copied(0..<store.count)]) { return }
    throw TableError.badArgument(
      "the line ends of the file are mixed, and this edit would change how its rows are read; name a "
        + "file to write it with LF line ends")
  }

  private func readsReturnAsField(in parts: [RewrittenText]) throws -> Bool {
    let size = ScanSizes().sample
    var bytes: [UInt8] = []
    for part in parts where bytes.count < size {
      switch part {
      case .written(let written): bytes += written
      case .copied(let range): bytes += try store.bytes(range.prefix(size))
      }
    }
    let sample = try TextSample(
      MemoryBytes(bytes), size: size, skippedLines: options.skippedLines ?? 0)
    let tab = UInt8(ascii: "\t")
    let fallback = dialect.delimiter == tab ? tab : TableFinder.delimiters[0]
    let finder = try TableFinder(sample, options: options, fallback: fallback)
    return sample.hasLoneReturn && !finder.endsLinesAtReturn
  }

  /// The bytes of a row with its line end.
  private func range(of row: Int) throws -> Range<Int> {
    let start = try offset(of: row)
    var size = 0
    try withRowBytes { read in try read(row) { size = $0.count } }
    // A line end is read after a last row without one.
    return start..<min(start + size, store.count)
  }

  /// The line end of the first line; LF for a text without line ends.
  private func lineEndBytes() throws -> [UInt8] {
    var start = 0
    while start < store.count {
      let bytes = try store.bytes(start..<min(start + 64 << 10, store.count))
      if let place = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        guard bytes[place] == 0x0D else { return [0x0A] }
        let after = try store.bytes(start + place + 1..<min(start + place + 2, store.count))
        if after == [0x0A] { return [0x0D, 0x0A] }
        return dialect.lineEnds == .any ? [0x0D] : [0x0A]
      }
      start += bytes.count
    }
    return [0x0A]
  }
}

/// A row as it is written, without its line end.
private struct RowText {
  let content: ArraySlice<UInt8>
  private let table: DelimitedTable
  private let object: Value
  private let fields: [Range<Int>]

  init(_ table: DelimitedTable, _ row: Int) throws {
    var bytes: [UInt8] = []
    try table.withRowBytes { read in try read(row) { bytes = Array($0) } }
    let end = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { ds_csv_content_end($0, 0, buffer.count) } ?? 0
    }
    content = bytes[..<end]
    self.table = table
    object = try table.object(at: row)
    fields = RawFields(content, table.dialect).ranges
  }

  /// The row with the values of an object: fields whose values are equal stay as they are.
  func replacing(_ new: Value) throws(TableError) -> [UInt8] {
    guard case .record(let record) = new, case .record(let old) = object else {
      throw Self.noColumn(for: new)
    }
    try Self.checkKeys(of: record, in: table)
    let writer = Self.writer(of: table)
    var written: [[UInt8]] = fields.map { Array(content[$0]) }
    for (place, key) in table.keys.enumerated() {
      let value = record[key] ?? .null
      let before = old.values[place]
      if value == before, value.isWritten(like: before) { continue }
      let field = try Self.field(value, with: writer, at: place, of: table)
      // The column may have become one of strings since the object was edited: another row has one.
      if case .string(let text) = before, field.elementsEqual(text.utf8) { continue }
      while written.count <= place { written.append([]) }
      written[place] = field
    }
    return try Self.row(written, of: table)
  }

  /// The fields of a row. Readers skip blank lines, so a row of nulls needs delimiters or quotes.
  private static func row(
    _ fields: [[UInt8]], of table: DelimitedTable
  ) throws(TableError) -> [UInt8] {
    let row = Array(fields.joined(separator: [table.dialect.delimiter]))
    guard row.isEmpty else { return row }
    if table.keys.count > 1 {
      return Array(repeating: table.dialect.delimiter, count: table.keys.count - 1)
    }
    let quoted = UnsafeRawBufferPointer(start: nil, count: 0)
    guard let quote = table.dialect.quote, let form = table.forms.first,
      table.cells.value(of: quoted, as: form).isNull
    else { throw .badArgument(DelimitedWriter.lackOfNull) }
    return [quote, quote]
  }

  /// A new row, with quotes in the columns in which the template has them.
  static func inserting(
    _ new: Value, like template: RowText?, into table: DelimitedTable
  ) throws(TableError) -> [UInt8] {
    guard case .record(let record) = new else {
      throw noColumn(for: new)
    }
    try checkKeys(of: record, in: table)
    let writer = writer(of: table)
    var written: [[UInt8]] = []
    for (place, key) in table.keys.enumerated() {
      let value = record[key] ?? .null
      var writer = writer
      if let template, template.fields.indices.contains(place), !value.isNull {
        writer.quotesAll = RawFields.isQuoted(
          template.content[template.fields[place]], table.dialect)
      }
      written.append(try field(value, with: writer, at: place, of: table))
    }
    if table.dialect.hasTrailingDelimiter { written.append([]) }
    return try row(written, of: table)
  }

  private static func checkKeys(
    of record: Record, in table: DelimitedTable
  ) throws(TableError) {
    guard let key = record.keys.first(where: { table.shape.position(of: $0) == nil }) else {
      return
    }
    throw .noColumn("the file has no column `\(key)`")
  }

  private static func noColumn(for object: Value) -> TableError {
    .noColumn("the file has no column for \(object.excerpt), which is not a record")
  }

  private static func writer(of table: DelimitedTable) -> FieldWriter {
    var writer = FieldWriter(delimiter: table.dialect.delimiter)
    writer.quote = table.dialect.quote
    writer.escape = table.dialect.escape
    writer.comment = nil
    writer.decimal = table.options.numberStyle.decimal
    return writer
  }

  private static func field(
    _ value: Value, with writer: FieldWriter, at place: Int, of table: DelimitedTable
  ) throws(TableError) -> [UInt8] {
    var writer = writer
    if place == 0 { writer.comment = table.dialect.comment.first }
    var bytes: [UInt8] = []
    if let date = table.written(value, at: place) {
      try writer.append(date, to: &bytes)
    } else {
      try writer.append(value, to: &bytes)
    }
    if !value.isNull { try checkReading(of: bytes, value, at: place, in: table) }
    return bytes
  }

  /// Checks that a load reads the value: a requested type may have a notation of its own, and some
  /// words mean null.
  private static func checkReading(
    of field: [UInt8], _ value: Value, at place: Int, in table: DelimitedTable
  ) throws(TableError) {
    let form = table.forms[place]
    var text = field[...]
    var (isString, isBlank) = (false, false)
    if case .string(let string) = value {
      text = Array(string.utf8)[...]
      (isString, isBlank) = (true, text.allSatisfy { $0 <= 0x20 })
    } else if text.count > 1, text.first == table.dialect.quote {
      text = text.dropFirst().dropLast()
    }
    let read = text.withUnsafeBytes { table.cells.value(of: $0, as: form) }
    // A string may have the notation of another type; a blank one is null among numbers.
    let isLost = isString ? read.isNull && !isBlank : read != value
    var isDate = false
    if case .date = value { isDate = form.type == .date }
    guard isLost, form.isRequested || read.isNull || isDate else { return }
    throw .badArgument(
      "column `\(table.keys[place])` would read \(value.excerpt) as \(read.excerpt); "
        + (isString ? "choose another value" : "write it as a string in the notation of the column")
    )
  }
}
