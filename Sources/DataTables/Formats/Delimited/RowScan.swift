internal import CScan

/// The rows in a window of a delimited text, and the irregular rows and comments between them.
struct RowScan {
  /// The position in the window, and the regular rows before it.
  var kernel = ds_csv_scan()
  private(set) var findings = RowFindings()
  /// The offset in the text of the first byte of the window.
  private(set) var offset = 0
  /// Room for the regular rows.
  let rows: UnsafeMutablePointer<ds_row>
  private let kernels = ds_kernels_best().pointee
  private let dialect: Dialect
  private let columns: Int

  /// - Parameters:
  ///   - columns: the number of fields of a complete row.
  ///   - rows: room for `capacity` rows.
  init(_ dialect: Dialect, columns: Int, rows: UnsafeMutablePointer<ds_row>, capacity: Int) {
    self.dialect = dialect
    self.columns = columns
    self.rows = rows
    kernel.rows = rows
    kernel.capacity = capacity
    kernel.dialect = dialect.kernel
    // A delimiter at the end of a row begins an empty field. A line is one field.
    kernel.expected =
      dialect.lines == nil ? UInt32(columns + (dialect.hasTrailingDelimiter ? 1 : 0)) : 1
  }

  /// Starts in a window.
  mutating func start(in window: TextWindow) {
    findings = RowFindings()
    enter(window)
  }

  /// Continues in a window that has moved.
  mutating func enter(_ window: TextWindow) {
    offset = window.offset
    (kernel.position, kernel.length) = (0, window.length)
    kernel.bytes = window.bytes
  }

  var bytes: UnsafePointer<UInt8> { kernel.bytes }

  /// The rows that were found.
  var batch: UnsafeBufferPointer<ds_row> {
    UnsafeBufferPointer(start: rows, count: kernel.count)
  }

  /// Finds regular rows up to an irregular one, or the end of the window.
  mutating func findRows() -> ds_stop { kernels.csv_rows(&kernel) }

  /// Keeps the lines that are rows, from a number in the batch on; true if a line belongs to the next
  /// chunk.
  mutating func keepLines(
    _ lines: LineRows, from kept: inout Int, trueIndex: Int, limit: Int
  ) -> Bool {
    let (count, end) = lines.keep(
      UnsafeMutableBufferPointer(start: rows, count: kernel.count), from: kept,
      in: LineRows.Window(bytes: bytes, offset: offset, trueIndex: trueIndex),
      limit: limit - offset, &findings)
    (kernel.count, kept) = (count, count)
    if let end { kernel.position = end }
    return end != nil
  }

  /// Ends the last row among lines.
  mutating func close(_ lines: LineRows) { lines.close(&findings) }

  /// Drops the found rows that start at or after the limit; true if the scan has reached the limit.
  mutating func clip(to limit: Int) -> Bool {
    var count = kernel.count
    while count > 0, offset + Int(rows[count - 1].start) >= limit {
      count -= 1
      kernel.position = Int(rows[count].start)
    }
    kernel.count = count
    return offset + kernel.position >= limit
  }
}

// Irregular rows.
extension RowScan {
  /// Handles a row whose number of fields is not `columns`: skips a blank row, pads a short row,
  /// and rejects a long row.
  mutating func takeIrregularRow() {
    let start = kernel.position
    let length = contentLength(from: start, to: kernel.end)
    noteReturn(in: start..<start + length)
    if length == 0 && columns != 1 {
      kernel.position = kernel.end
    } else if kernel.fields == columns {
      // Without the delimiter at its end.
      appendRow(to: kernel.end)
    } else if kernel.fields < columns {
      if findings.firstPadded == nil {
        findings.firstPadded = (offset + start, Int(kernel.fields))
      }
      findings.padded += 1
      appendRow(to: kernel.end)
    } else {
      reject(to: kernel.end, .tooManyFields(Int(kernel.fields)))
    }
  }

  /// Rejects the first of the regular rows from the given one on that has a field after its last
  /// delimiter; false if all rows end with a delimiter.
  mutating func rejectRow(withFieldAfterLastDelimiter first: Int) -> Bool {
    for index in first..<max(first, kernel.count) {
      let (start, end) = (Int(rows[index].start), Int(rows[index].end))
      if endsWithDelimiter(start, end) { continue }
      kernel.count = index
      kernel.position = start
      reject(to: end, .tooManyFields(columns + 1))
      return true
    }
    return false
  }

  private func endsWithDelimiter(_ start: Int, _ end: Int) -> Bool {
    var last = start + contentLength(from: start, to: end) - 1
    while dialect.skipsSpaces, last > start, bytes[last] == UInt8(ascii: " ") { last -= 1 }
    guard last >= start, bytes[last] == dialect.delimiter else { return false }
    guard let escape = dialect.escape else { return true }
    var before = last
    while before > start, bytes[before - 1] == escape { before -= 1 }
    return (last - before) % 2 == 0
  }

  /// Keeps the offset of the first unquoted CR of an irregular row.
  private mutating func noteReturn(in row: Range<Int>) {
    guard dialect.lineEnds == .lf, findings.loneReturn == nil else { return }
    var isQuoted = false
    for place in row {
      if Int16(bytes[place]) == kernel.dialect.quote { isQuoted.toggle() }
      if bytes[place] == UInt8(ascii: "\r"), !isQuoted {
        findings.loneReturn = offset + place
        return
      }
    }
  }

  /// Keeps the offset of the first unquoted CR in rows of one column, which a CR makes no longer.
  mutating func noteReturns(in batch: UnsafeBufferPointer<ds_row>) {
    guard dialect.lineEnds == .lf else { return }
    for row in batch where findings.loneReturn == nil {
      let (start, end) = (Int(row.start), Int(row.end))
      noteReturn(in: start..<start + contentLength(from: start, to: end))
    }
  }

  /// The length of a row without its line end.
  private func contentLength(from start: Int, to end: Int) -> Int {
    ds_csv_content_end(bytes, start, end) - start
  }

  private mutating func appendRow(to end: Int) {
    rows[kernel.count] = ds_row(start: UInt32(kernel.position), end: UInt32(end))
    kernel.count += 1
    kernel.position = end
  }

  /// Skips the comment line at the position, or takes the row there if it only starts with the
  /// first byte of the comment prefix; false if the line or row continues after the window.
  /// - Parameter isLast: whether the window reaches the end of the text.
  mutating func takeComment(isLast: Bool) -> Bool {
    let start = kernel.position
    if kernel.length - start < dialect.comment.count, !isLast { return false }
    let line = UnsafeBufferPointer(start: bytes + start, count: kernel.length - start)
    guard line.starts(with: dialect.comment) else {
      // Only the first byte matches the comment prefix, so this is an ordinary row.
      var end = 0
      var fields: UInt32 = 0
      switch ds_csv_row(&kernel, start, &end, &fields) {
      case 0:
        kernel.end = end
        kernel.fields = fields
        let isComplete =
          fields == kernel.expected
          && (!dialect.hasTrailingDelimiter || endsWithDelimiter(start, end))
        if isComplete { appendRow(to: end) } else { takeIrregularRow() }
        return true
      case 2:
        kernel.end = end
        return rejectBrokenRow()
      default:
        return false
      }
    }
    guard let end = lineEnd() else { return false }
    findings.comments += 1
    kernel.position = end
    return true
  }

  /// The index after the line at the position.
  func lineEnd() -> Int? {
    var dialect = kernel.dialect
    let end = ds_csv_next_line(bytes, kernel.length, kernel.position, &dialect)
    return end == 0 ? nil : end
  }

  /// Rejects the line of a row with text after a closing quote.
  mutating func rejectBrokenRow() -> Bool {
    if dialect.lineEnds == .lf, bytes[kernel.end] == UInt8(ascii: "\r"), findings.loneReturn == nil
    {
      findings.loneReturn = offset + kernel.end
    }
    return rejectLine(.junkAfterQuote(column: kernel.end - kernel.position + 1))
  }

  /// Rejects a row up to the end of its first line: if quotes are broken, the next row can start no
  /// earlier than the next line. False if that line continues after the window.
  mutating func rejectLine(_ reason: RejectedRow.Reason) -> Bool {
    guard let end = lineEnd() else { return false }
    reject(to: end, reason)
    return true
  }

  private mutating func reject(to end: Int, _ reason: RejectedRow.Reason) {
    let length = contentLength(from: kernel.position, to: end)
    findings.rejects.append(
      RejectedRow(offset: offset + kernel.position, length: length, reason: reason))
    kernel.position = end
  }
}
