internal import CScan

/// The first rows of a sample under a dialect, without blank lines and comments.
struct SampleRows {
  struct Row {
    var start: Int
    /// After the line end.
    var end: Int
    /// 0 for a row that breaks the quoting rules.
    var fields: Int

    var isBroken: Bool { fields == 0 }
  }

  let dialect: Dialect
  private(set) var rows: [Row] = []
  /// The comment lines before the first row.
  private(set) var comments: [Row] = []
  private let sample: TextSample

  static let maxRows = 100

  init(_ sample: TextSample, from start: Int, dialect: Dialect) {
    self.sample = sample
    self.dialect = dialect
    var scan = ds_csv_scan()
    scan.dialect = dialect.kernel
    scan.length = sample.count
    sample.bytes.withUnsafeBufferPointer { bytes in
      scan.bytes = bytes.baseAddress
      var place = start
      while place < sample.count, rows.count < Self.maxRows {
        let isComment =
          !dialect.comment.isEmpty && bytes[place..<sample.count].starts(with: dialect.comment)
        guard let row = Self.row(at: place, &scan, sample, isComment: isComment) else { break }
        place = row.end
        let isBlank =
          !row.isBroken && ds_csv_content_end(scan.bytes, row.start, row.end) == row.start
        if isComment, rows.isEmpty { comments.append(row) }
        if !isComment, !isBlank { rows.append(row) }
      }
    }
  }

  /// The row or the comment line at an offset; nil if it may end after the sample.
  private static func row(
    at start: Int, _ scan: inout ds_csv_scan, _ sample: TextSample, isComment: Bool
  ) -> Row? {
    var end = 0
    var fields: UInt32 = 0
    let outcome = isComment ? 2 : ds_csv_row(&scan, start, &end, &fields)
    if outcome == 0 { return Row(start: start, end: end, fields: Int(fields)) }
    if outcome == 1, !sample.isWhole { return nil }
    end = ds_csv_next_line(scan.bytes, sample.count, start, &scan.dialect)
    return end == 0 ? nil : Row(start: start, end: end, fields: 0)
  }

  /// The row that a comment line has after the prefix and spaces; nil if it is broken.
  func row(inComment comment: Row) -> Row? {
    var scan = ds_csv_scan()
    scan.dialect = dialect.kernel
    scan.length = sample.count
    let start = comment.start + dialect.comment.count
    let spaces = sample.bytes[start..<comment.end].prefix { $0 == UInt8(ascii: " ") }.count
    return sample.bytes.withUnsafeBufferPointer { bytes in
      scan.bytes = bytes.baseAddress
      let row = Self.row(at: start + spaces, &scan, sample, isComment: false)
      return row.flatMap { $0.isBroken || $0.end != comment.end ? nil : $0 }
    }
  }

  /// The cells of a row without their quotes; none for a broken row.
  func cells(of row: Row) -> [String] { fields(of: row).map(\.cell) }

  /// The cells of a row without their quotes, and whether they had quotes.
  func fields(of row: Row) -> [(cell: String, isQuoted: Bool)] {
    guard !row.isBroken else { return [] }
    var place = ds_row(start: UInt32(row.start), end: UInt32(row.end))
    var kernel = dialect.kernel
    var fields = [ds_field](repeating: ds_field(), count: row.fields)
    let columns = (0..<row.fields).map { UInt32($0) }
    let cells = CellReader(nulls: [], quoting: dialect.quoting)
    return sample.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return [] }
      ds_kernels_best().pointee.csv_fields(
        start, &kernel, &place, 1, columns, columns.count, &fields)
      return fields.map { field in
        let cell = cells.withCell(field, in: start) { String(decoding: $0, as: UTF8.self) }
        return (cell, field.length & UInt32(DS_FIELD_QUOTED) != 0)
      }
    }
  }

  /// Whether a row starts with a space or a tab.
  func isIndented(_ row: Row) -> Bool { sample.bytes[row.start].isBlank }

  /// Whether a row ends with a delimiter and its line end.
  func endsWithDelimiter(_ row: Row) -> Bool {
    var end = sample.bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { ds_csv_content_end($0, row.start, row.end) } ?? row.start
    }
    while dialect.skipsSpaces, end > row.start, sample.bytes[end - 1] == UInt8(ascii: " ") {
      end -= 1
    }
    return end > row.start && sample.bytes[end - 1] == dialect.delimiter
  }

  /// Whether one of the lines between two rows, such as comments, is blank.
  func hasBlankLine(between row: Row, _ next: Row) -> Bool {
    var isAtStart = true
    for byte in sample.bytes[row.end..<max(row.end, next.start)] {
      let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      if isEnd, isAtStart { return true }
      isAtStart = byte == UInt8(ascii: "\n")
    }
    return false
  }

  /// The offset of a row in the text.
  func offset(of row: Row) -> Int { sample.offset + row.start }

  /// The line of a row in the text, from 1.
  func line(of row: Row) -> Int { sample.line(at: row.start, dialect) }
}
