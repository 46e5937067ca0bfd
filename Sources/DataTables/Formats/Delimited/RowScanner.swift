internal import CScan

/// Scans the rows of one chunk of a delimited text through a reused window.
///
/// Loading a text, decoding a column and reading a single object all use this scanner, so that they
/// agree on the rows. Not thread-safe; each worker has its own.
final class RowScanner {
  /// Irregular rows and comments found between the regular rows.
  struct Findings: Sendable {
    var rejects: [RejectedRow] = []
    var padded = 0
    /// Offset and number of fields of the first padded row.
    var firstPadded: (offset: Int, fields: Int)?
    var comments = 0
    /// The offset of a CR in an irregular row, where it may be a line end.
    var loneReturn: Int?
    /// Rejected lines that may continue the entry before.
    var continuations = 0
    /// Lines that continue a row.
    var continued = 0
    /// Keys in lines that the fields lack, with the offsets of these lines.
    var newKeys: [(key: String, offset: Int)] = []
  }

  private let store: any ByteStore
  private let dialect: Dialect
  private let columns: Int
  private let limits: ReadLimits
  private let kernels = ds_kernels_best().pointee
  private(set) var findings = Findings()

  private var window: UnsafeMutableRawBufferPointer
  /// Offset in the store of the first byte of the window.
  private var offset = 0
  private var scan: ds_csv_scan
  private let rows: UnsafeMutablePointer<ds_row>
  /// Rows that start at this offset or later belong to other chunks.
  private var limit = 0
  /// Whether a row ends at the limit, so that no bytes after it are needed.
  private var endsAtLimit = false
  /// Whether the window reaches the end of the text; it then ends with LF.
  private var isLast = false
  /// Lengths of the remaining rows, if they are known.
  private var lengths: ArraySlice<UInt16> = []
  /// Bytes before this offset in the store are known to be UTF-8; nil if the encoding is not
  /// checked.
  private var checkedEnd: Int?
  /// Finds the rows among lines without delimiters; nil for delimited text.
  private let lines: LineRows?

  private static let padding = Int(DS_PADDING)

  /// - Parameters:
  ///   - columns: the number of fields of a complete row.
  ///   - windowSize: in bytes; the window grows for a longer row.
  ///   - checksEncoding: whether bytes that are not UTF-8 are an error.
  ///   - keepsFields: whether the fields of each batch are located after it is found.
  init(
    _ store: any ByteStore, dialect: Dialect, columns: Int, limits: ReadLimits,
    windowSize: Int = 256 << 10, batch: Int = 4096,
    checksEncoding: Bool = false, keepsFields: Bool = false
  ) {
    self.store = store
    self.dialect = dialect
    self.columns = columns
    self.limits = limits
    // A small file among thousands must not cost a whole window.
    let windowSize = min(windowSize, max(4_096, store.count))
    let batch = min(batch, max(16, store.count))
    window = .allocate(byteCount: windowSize + 1 + Self.padding, alignment: 64)
    window.initializeMemory(as: UInt8.self, repeating: 0)
    rows = .allocate(capacity: batch)
    checkedEnd = checksEncoding ? 0 : nil
    scan = ds_csv_scan()
    scan.rows = rows
    scan.capacity = batch
    scan.dialect = dialect.kernel
    let kept =
      keepsFields && dialect.lines != nil
      ? KeptFields(of: rows, capacity: batch, columns: columns) : nil
    lines = dialect.lines.map { LineRows($0, columns: columns, keepingIn: kept) }
    if lines != nil {
      scan.expected = 1
      writeTrue()
      return
    }
    // A delimiter at the end of a row begins an empty field.
    scan.expected = UInt32(columns + (dialect.hasTrailingDelimiter ? 1 : 0))
  }

  deinit {
    window.deallocate()
    rows.deallocate()
  }

  /// The number of rows per batch when `count` fields of each are read: the fields of a batch
  /// should fit the cache.
  static func batch(ofFields count: Int) -> Int { min(4096, max(16, 65_536 / max(1, count))) }

  /// Starts a chunk: the rows that start in `range`, the first of them at its lower bound.
  /// - Parameter endsWithRow: whether the last of these rows is known to end where `range` ends.
  func start(_ range: Range<Int>, endsWithRow: Bool = false) {
    offset = range.lowerBound
    limit = range.upperBound
    endsAtLimit = endsWithRow
    isLast = false
    if checkedEnd != nil { checkedEnd = offset }
    scan.position = 0
    scan.length = 0
    lengths = []
    findings = Findings()
  }

  /// Starts a chunk whose rows have been indexed.
  func start(_ chunk: RowIndex.Chunk) {
    start(chunk.range, endsWithRow: !chunk.lengths.isEmpty)
    lengths = chunk.lengths[...]
  }

  /// Offset of the next row; after the last batch, the end of the chunk.
  var position: Int { min(windowPosition, store.count) }

  /// The same offset, including the LF that the scanner adds if the text does not end with one.
  var windowPosition: Int { offset + scan.position }

  /// The bytes that the rows of a batch index into.
  var bytes: UnsafePointer<UInt8> {
    UnsafePointer(window.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self))
  }

  /// The offset in the store of an index into ``bytes``.
  func storeOffset(_ index: UInt32) -> Int { offset + Int(index) }

  /// Finds the fields of some columns (ascending, from 0) in rows of a batch, row by row; a column
  /// missing from a row is an empty, unquoted field.
  func locate(
    _ requested: [UInt32], of rows: UnsafePointer<ds_row>?, count: Int,
    into fields: UnsafeMutablePointer<ds_field>?
  ) {
    if let lines {
      return lines.locate(requested, of: rows, count: count, in: lineWindow, into: fields)
    }
    kernels.csv_fields(bytes, &scan.dialect, rows, count, requested, requested.count, fields)
  }

  /// The maximum number of rows of a batch.
  var batchCapacity: Int { scan.capacity }

  /// The next rows, valid until the next call; nil after the last.
  /// - Throws: ``TableError/limit(_:setting:at:)`` for a row that is too long,
  ///   ``TableError/encoding(expected:offset:fitting:)`` if the encoding is checked, and the errors
  ///   of the store.
  func next() throws -> UnsafeBufferPointer<ds_row>? {
    scan.count = 0
    if !lengths.isEmpty { return try nextOfKnownLength() }
    if let lines { return try nextLines(lines) }
    while offset + scan.position < limit {
      let found = scan.count
      let stop = scanWindow()
      let isAtLimit = clipToLimit()
      if dialect.hasTrailingDelimiter, rejectRow(withFieldAfterLastDelimiter: found) { continue }
      if isAtLimit { break }
      switch stop {
      case DS_FULL: if scan.count > 0 { return batch }
      case DS_IRREGULAR: takeIrregularRow()
      case DS_BROKEN where rejectBrokenRow(): break
      case DS_COMMENT where takeComment(): break
      default:
        // Rows point into the window, so they must be returned before it moves.
        if scan.count > 0 { return batch }
        if try !refill() { return nil }
      }
      if scan.count == scan.capacity { return batch }
    }
    return scan.count > 0 ? batch : nil
  }

  private func nextOfKnownLength() throws -> UnsafeBufferPointer<ds_row>? {
    while true {
      let maxCount = min(lengths.count, scan.capacity)
      let length = scan.length
      var position = scan.position
      // A local copy, because every access to a property of a class checks for exclusivity.
      let rows = rows
      let count = lengths.withUnsafeBufferPointer { lengths in
        for index in 0..<maxCount {
          let end = position &+ Int(lengths[index])
          if end > length { return index }
          rows[index] = ds_row(
            start: UInt32(truncatingIfNeeded: position), end: UInt32(truncatingIfNeeded: end))
          position = end
        }
        return maxCount
      }
      scan.position = position
      scan.count = count
      lengths = lengths.dropFirst(count)
      if count > 0 { return batch }
      guard !isLast, try refill() else { return nil }
    }
  }

  private var batch: UnsafeBufferPointer<ds_row> {
    UnsafeBufferPointer(start: rows, count: scan.count)
  }

  private func scanWindow() -> ds_stop {
    scan.bytes = bytes
    return kernels.csv_rows(&scan)
  }

  /// Drops the found rows that start at or after the limit; true if the scan has reached the limit.
  private func clipToLimit() -> Bool {
    var count = scan.count
    while count > 0, offset + Int(rows[count - 1].start) >= limit {
      count -= 1
      scan.position = Int(rows[count].start)
    }
    scan.count = count
    return offset + scan.position >= limit
  }
}

// MARK: - Irregular rows

extension RowScanner {
  /// Handles a row whose number of fields is not `columns`: skips a blank row, pads a short row,
  /// and rejects a long row.
  private func takeIrregularRow() {
    let start = scan.position
    let length = contentLength(from: start, to: scan.end)
    noteReturn(in: start..<start + length)
    if length == 0 && columns != 1 {
      scan.position = scan.end
    } else if scan.fields == columns {
      // Without the delimiter at its end.
      appendRow(to: scan.end)
    } else if scan.fields < columns {
      if findings.firstPadded == nil {
        findings.firstPadded = (offset + start, Int(scan.fields))
      }
      findings.padded += 1
      appendRow(to: scan.end)
    } else {
      reject(to: scan.end, .tooManyFields(Int(scan.fields)))
    }
  }

  /// Rejects the first of the regular rows from the given one on that has a field after its last
  /// delimiter; false if all rows end with a delimiter.
  private func rejectRow(withFieldAfterLastDelimiter first: Int) -> Bool {
    for index in first..<max(first, scan.count) {
      let (start, end) = (Int(rows[index].start), Int(rows[index].end))
      if endsWithDelimiter(start, end) { continue }
      scan.count = index
      scan.position = start
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
  private func noteReturn(in row: Range<Int>) {
    guard dialect.lineEnds == .lf, findings.loneReturn == nil else { return }
    var isQuoted = false
    for place in row {
      if Int16(bytes[place]) == scan.dialect.quote { isQuoted.toggle() }
      if bytes[place] == UInt8(ascii: "\r"), !isQuoted {
        findings.loneReturn = offset + place
        return
      }
    }
  }

  /// Keeps the offset of the first unquoted CR in rows of one column, which a CR makes no longer.
  func noteReturns(in batch: UnsafeBufferPointer<ds_row>) {
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

  private func appendRow(to end: Int) {
    rows[scan.count] = ds_row(start: UInt32(scan.position), end: UInt32(end))
    scan.count += 1
    scan.position = end
  }

  /// Skips the comment line at the position, or takes the row there if it only starts with the
  /// first byte of the comment prefix; false if the line or row continues after the window.
  private func takeComment() -> Bool {
    let start = scan.position
    if scan.length - start < dialect.comment.count, !isLast { return false }
    let line = UnsafeRawBufferPointer(rebasing: window[start..<scan.length])
    guard line.starts(with: dialect.comment) else {
      // Only the first byte matches the comment prefix, so this is an ordinary row.
      var end = 0
      var fields: UInt32 = 0
      switch ds_csv_row(&scan, start, &end, &fields) {
      case 0:
        scan.end = end
        scan.fields = fields
        let isComplete =
          fields == scan.expected
          && (!dialect.hasTrailingDelimiter || endsWithDelimiter(start, end))
        if isComplete { appendRow(to: end) } else { takeIrregularRow() }
        return true
      case 2:
        scan.end = end
        return rejectBrokenRow()
      default:
        return false
      }
    }
    guard let end = lineEnd() else { return false }
    findings.comments += 1
    scan.position = end
    return true
  }

  /// The index after the line at the position.
  private func lineEnd() -> Int? {
    let end = ds_csv_next_line(bytes, scan.length, scan.position, &scan.dialect)
    return end == 0 ? nil : end
  }

  /// Rejects the line of a row with text after a closing quote.
  private func rejectBrokenRow() -> Bool {
    if dialect.lineEnds == .lf, bytes[scan.end] == UInt8(ascii: "\r"), findings.loneReturn == nil {
      findings.loneReturn = offset + scan.end
    }
    return rejectLine(.junkAfterQuote(column: scan.end - scan.position + 1))
  }

  /// Rejects a row up to the end of its first line: if quotes are broken, the next row can start no
  /// earlier than the next line. False if that line continues after the window.
  private func rejectLine(_ reason: RejectedRow.Reason) -> Bool {
    guard let end = lineEnd() else { return false }
    reject(to: end, reason)
    return true
  }

  private func reject(to end: Int, _ reason: RejectedRow.Reason) {
    let length = contentLength(from: scan.position, to: end)
    findings.rejects.append(
      RejectedRow(offset: offset + scan.position, length: length, reason: reason))
    scan.position = end
  }
}

// MARK: - Lines

extension RowScanner {
  /// The next rows of a text without delimiters. The last row is returned only when the line after
  /// it is known, which may continue it.
  private func nextLines(_ lines: LineRows) throws -> UnsafeBufferPointer<ds_row>? {
    lines.reset()
    var kept = 0
    scanning: while hasMoreLines(lines) {
      let stop = scan.count < scan.capacity ? scanWindow() : DS_FULL
      if keepLines(lines, from: &kept) { break }
      switch stop {
      case DS_FULL where kept < scan.capacity: break
      case DS_COMMENT where takeComment(), DS_BROKEN where rejectBrokenRow():
        lines.close(&findings)
        if keepLines(lines, from: &kept) { break scanning }
      case DS_IRREGULAR:
        lines.close(&findings)
        takeIrregularRow()
        if keepLines(lines, from: &kept) { break scanning }
      default:
        if !hasMoreLines(lines) { break scanning }
        if lines.isOpen {
          scan.count -= 1
          scan.position = Int(rows[scan.count].start)
        }
        if scan.count > 0 { return batch }
        if try !refill() { return nil }
        lines.reset()
        kept = 0
      }
    }
    lines.close(&findings)
    return scan.count > 0 ? batch : nil
  }

  /// Whether lines are left that belong to the chunk or may continue its last row.
  private func hasMoreLines(_ lines: LineRows) -> Bool {
    (offset + scan.position < limit || lines.isOpen && !endsAtLimit)
      && !(isLast && scan.position == scan.length)
  }

  /// Keeps the lines that are rows, from a number in the batch on; true if a line belongs to the next
  /// chunk.
  private func keepLines(_ lines: LineRows, from kept: inout Int) -> Bool {
    let (count, end) = lines.keep(
      UnsafeMutableBufferPointer(start: rows, count: scan.count), from: kept, in: lineWindow,
      limit: limit - offset, &findings)
    (scan.count, kept) = (count, count)
    if let end { scan.position = end }
    return end != nil
  }

  private var lineWindow: LineRows.Window {
    LineRows.Window(bytes: bytes, offset: offset, trueIndex: trueIndex)
  }

  /// The index in the window, after all text, of a word that fields can be.
  private var trueIndex: Int { window.count - 16 }

  private func writeTrue() {
    let word = Line.trueWord
    (window.baseAddress.unsafelyUnwrapped + trueIndex).copyMemory(
      from: word.utf8Start, byteCount: word.utf8CodeUnitCount)
  }

  /// The offset in the store of a field of a row.
  func storeOffset(of field: ds_field, in row: ds_row) -> Int {
    storeOffset(field.start < row.end ? field.start : row.start)
  }
}

// MARK: - Window

extension RowScanner {
  /// Moves the row at the position to the front of the window and reads more bytes; false at the
  /// end.
  private func refill() throws -> Bool {
    // At the end of the text, only an open quote leaves a row without an end.
    if isLast { return scan.position < scan.length && rejectLine(.unclosedQuote) }
    let kept = scan.length - scan.position
    if kept > limits.row { return try rejectOverlongRow() }
    let base = window.baseAddress.unsafelyUnwrapped
    if kept > 0 { base.copyMemory(from: base + scan.position, byteCount: kept) }
    offset += scan.position
    scan.position = 0
    scan.length = kept
    if kept > capacity / 2 { grow() }
    try read()
    return true
  }

  /// Bytes that fit the window, without an added LF and the padding.
  private var capacity: Int { window.count - 1 - Self.padding }

  /// The number of bytes after a row that determine its line end.
  private var lookahead: Int { dialect.lineEnds == .any ? 2 : 0 }

  private func read() throws {
    var room = capacity - scan.length
    // Read not far beyond the chunk, because another worker reads the bytes after it.
    let rest = max(limit - offset - scan.length, 0)
    room = min(room, endsAtLimit && rest > 0 ? rest + lookahead : rest + max(4096, scan.length))
    // One byte over the limit is enough to detect a row that is too long.
    room = min(room, max(limits.row + 1 - scan.length, 1))
    let target = UnsafeMutableRawBufferPointer(
      rebasing: window[scan.length..<scan.length + room])
    let count = try store.read(at: offset + scan.length, into: target)
    scan.length += count
    try checkEncoding(isAtEnd: count < room)
    if count < room || offset + scan.length >= store.count {
      isLast = true
      if scan.length > 0, bytes[scan.length - 1] != UInt8(ascii: "\n") {
        window[scan.length] = UInt8(ascii: "\n")
        scan.length += 1
      }
    }
  }

  private func checkEncoding(isAtEnd: Bool) throws {
    guard let checkedEnd else { return }
    let start = checkedEnd - offset
    let length = scan.length - start
    let valid = kernels.utf8_valid_prefix(bytes + start, length)
    // A character truncated by the end of the window is checked again with the bytes that follow.
    guard valid == length || (length - valid < 4 && !isAtEnd) else {
      throw TableError.encoding(
        expected: "UTF-8", offset: checkedEnd + valid,
        fitting: nil)
    }
    self.checkedEnd = checkedEnd + valid
  }

  /// Handles a row that is longer than the limit. If its first line is within the limit, an
  /// unclosed quote has included the lines that follow, and only the first line is rejected.
  /// Otherwise the row is too long, which is an error.
  private func rejectOverlongRow() throws -> Bool {
    if lines == nil, let end = lineEnd(), end - scan.position <= limits.row {
      return rejectLine(.unclosedQuote)
    }
    var counter = LineCounter(store, dialect: scan.dialect)
    // The place is the last line of the row.
    let rest = UnsafeRawBufferPointer(rebasing: window[scan.position..<scan.length])
    let start = lines == nil ? 0 : rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    throw TableError.limit(
      "a row has more than \(limits.row.grouped) bytes", setting: ReadLimits.rowLabel,
      at: TextPosition(line: try counter.line(at: windowPosition + start), column: 1))
  }

  private func grow() {
    let size = capacity * 2
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size + 1 + Self.padding, alignment: 64)
    larger.initializeMemory(as: UInt8.self, repeating: 0)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[0..<scan.length]))
    window.deallocate()
    window = larger
    if lines != nil { writeTrue() }
  }
}
