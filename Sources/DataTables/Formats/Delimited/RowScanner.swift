internal import CScan

/// Scans the rows of one chunk of a delimited text through a reused window.
///
/// Loading a text, decoding a column and reading a single object all use this scanner, so that they
/// agree on the rows. Not thread-safe; each worker has its own.
final class RowScanner {
  private let store: any ByteStore
  private let dialect: Dialect
  private let limits: ReadLimits
  private let kernels = ds_kernels_best().pointee
  private let window: TextWindow
  private let rows: UnsafeMutablePointer<ds_row>
  private var scan: RowScan
  /// Rows that start at this offset or later belong to other chunks.
  private var limit = 0
  /// Whether a row ends at the limit, so that no bytes after it are needed.
  private var endsAtLimit = false
  /// Lengths of the remaining rows, if they are known.
  private var lengths: ArraySlice<UInt16> = []
  /// Finds the rows among lines without delimiters; nil for delimited text.
  private let lines: LineRows?

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
    self.limits = limits
    let batch = min(batch, max(16, store.count))
    window = TextWindow(store, size: windowSize, checksEncoding: checksEncoding)
    rows = .allocate(capacity: batch)
    scan = RowScan(dialect, columns: columns, rows: rows, capacity: batch)
    let kept =
      keepsFields && dialect.lines != nil
      ? KeptFields(of: rows, capacity: batch, columns: columns) : nil
    lines = dialect.lines.map { LineRows($0, columns: columns, keepingIn: kept) }
  }

  deinit { rows.deallocate() }

  /// The number of rows per batch when `count` fields of each are read: the fields of a batch
  /// should fit the cache.
  static func batch(ofFields count: Int) -> Int { min(4096, max(16, 65_536 / max(1, count))) }

  /// Starts a chunk: the rows that start in `range`, the first of them at its lower bound.
  /// - Parameter endsWithRow: whether the last of these rows is known to end where `range` ends.
  func start(_ range: Range<Int>, endsWithRow: Bool = false) {
    window.start(at: range.lowerBound)
    scan.start(in: window)
    limit = range.upperBound
    endsAtLimit = endsWithRow
    lengths = []
  }

  /// Starts a chunk whose rows have been indexed.
  func start(_ chunk: RowIndex.Chunk) {
    start(chunk.range, endsWithRow: !chunk.lengths.isEmpty)
    lengths = chunk.lengths[...]
  }

  /// The irregular rows and comments of the chunk up to the last batch.
  var findings: RowFindings { scan.findings }

  /// Offset of the next row; after the last batch, the end of the chunk.
  var position: Int { min(windowPosition, store.count) }

  /// The same offset, including the LF that the scanner adds if the text does not end with one.
  var windowPosition: Int { scan.offset + scan.kernel.position }

  /// The bytes that the rows of a batch index into.
  var bytes: UnsafePointer<UInt8> { window.bytes }

  /// The offset in the store of an index into ``bytes``.
  func storeOffset(_ index: UInt32) -> Int { window.offset + Int(index) }

  /// The offset in the store of a field of a row.
  func storeOffset(of field: ds_field, in row: ds_row) -> Int {
    storeOffset(field.start < row.end ? field.start : row.start)
  }

  /// The maximum number of rows of a batch.
  var batchCapacity: Int { scan.kernel.capacity }

  /// Keeps the offset of the first unquoted CR in rows of one column, which a CR makes no longer.
  func noteReturns(in batch: UnsafeBufferPointer<ds_row>) { scan.noteReturns(in: batch) }

  /// Finds the fields of some columns (ascending, from 0) in rows of a batch, row by row; a column
  /// missing from a row is an empty, unquoted field.
  func locate(
    _ requested: [UInt32], of rows: UnsafePointer<ds_row>?, count: Int,
    into fields: UnsafeMutablePointer<ds_field>?
  ) {
    if let lines {
      let window = LineRows.Window(
        bytes: bytes, offset: window.offset, trueIndex: window.trueIndex)
      return lines.locate(requested, of: rows, count: count, in: window, into: fields)
    }
    kernels.csv_fields(
      bytes, &scan.kernel.dialect, rows, count, requested, requested.count, fields)
  }

  /// The next rows, valid until the next call; nil after the last.
  /// - Throws: ``TableError/limit(_:setting:at:)`` for a row that is too long,
  ///   ``TableError/encoding(expected:offset:fitting:)`` if the encoding is checked, and the errors
  ///   of the store.
  func next() throws -> UnsafeBufferPointer<ds_row>? {
    scan.kernel.count = 0
    if !lengths.isEmpty { return try nextOfKnownLength() }
    if let lines { return try nextLines(lines) }
    while scan.offset + scan.kernel.position < limit {
      let found = scan.kernel.count
      let stop = scan.findRows()
      let isAtLimit = scan.clip(to: limit)
      if dialect.hasTrailingDelimiter, scan.rejectRow(withFieldAfterLastDelimiter: found) {
        continue
      }
      if isAtLimit { break }
      switch stop {
      case DS_FULL: if scan.kernel.count > 0 { return scan.batch }
      case DS_IRREGULAR: scan.takeIrregularRow()
      case DS_BROKEN where scan.rejectBrokenRow(): break
      case DS_COMMENT where scan.takeComment(isLast: window.isLast): break
      default:
        // Rows point into the window, so they must be returned before it moves.
        if scan.kernel.count > 0 { return scan.batch }
        if try !refill() { return nil }
      }
      if scan.kernel.count == scan.kernel.capacity { return scan.batch }
    }
    return scan.kernel.count > 0 ? scan.batch : nil
  }

  private func nextOfKnownLength() throws -> UnsafeBufferPointer<ds_row>? {
    while true {
      let maxCount = min(lengths.count, scan.kernel.capacity)
      let length = scan.kernel.length
      var position = scan.kernel.position
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
      scan.kernel.position = position
      scan.kernel.count = count
      lengths = lengths.dropFirst(count)
      if count > 0 { return scan.batch }
      guard !window.isLast, try refill() else { return nil }
    }
  }
}

// Lines without delimiters.
extension RowScanner {
  /// The next rows of a text without delimiters. The last row is returned only when the line after
  /// it is known, which may continue it.
  private func nextLines(_ lines: LineRows) throws -> UnsafeBufferPointer<ds_row>? {
    lines.reset()
    var kept = 0
    scanning: while hasMoreLines(lines) {
      let stop = scan.kernel.count < scan.kernel.capacity ? scan.findRows() : DS_FULL
      if keep(lines, from: &kept) { break }
      switch stop {
      case DS_FULL where kept < scan.kernel.capacity: break
      case DS_COMMENT where scan.takeComment(isLast: window.isLast),
        DS_BROKEN where scan.rejectBrokenRow():
        scan.close(lines)
        if keep(lines, from: &kept) { break scanning }
      case DS_IRREGULAR:
        scan.close(lines)
        scan.takeIrregularRow()
        if keep(lines, from: &kept) { break scanning }
      default:
        if !hasMoreLines(lines) { break scanning }
        if lines.isOpen {
          scan.kernel.count -= 1
          scan.kernel.position = Int(rows[scan.kernel.count].start)
        }
        if scan.kernel.count > 0 { return scan.batch }
        if try !refill() { return nil }
        lines.reset()
        kept = 0
      }
    }
    scan.close(lines)
    return scan.kernel.count > 0 ? scan.batch : nil
  }

  /// Whether lines are left that belong to the chunk or may continue its last row.
  private func hasMoreLines(_ lines: LineRows) -> Bool {
    (windowPosition < limit || lines.isOpen && !endsAtLimit)
      && !(window.isLast && scan.kernel.position == scan.kernel.length)
  }

  private func keep(_ lines: LineRows, from kept: inout Int) -> Bool {
    scan.keepLines(lines, from: &kept, trueIndex: window.trueIndex, limit: limit)
  }
}

// The window.
extension RowScanner {
  /// Moves the row at the position to the front of the window and reads more bytes; false at the
  /// end.
  private func refill() throws -> Bool {
    // At the end of the text, only an open quote leaves a row without an end.
    if window.isLast {
      return scan.kernel.position < scan.kernel.length && scan.rejectLine(.unclosedQuote)
    }
    if scan.kernel.length - scan.kernel.position > limits.row { return try rejectOverlongRow() }
    try window.advance(to: scan.kernel.position, room: room)
    scan.enter(window)
    return true
  }

  /// The number of bytes to read after those that are kept.
  private func room(after kept: Int) -> Int {
    // Read not far beyond the chunk, because another worker reads the bytes after it.
    let rest = max(limit - window.offset - kept, 0)
    let lookahead = dialect.lineEnds == .any ? 2 : 0
    let room = endsAtLimit && rest > 0 ? rest + lookahead : rest + max(4096, kept)
    // One byte over the limit is enough to detect a row that is too long.
    return min(room, max(limits.row + 1 - kept, 1))
  }

  /// Handles a row that is longer than the limit. If its first line is within the limit, a quote has
  /// included the lines that follow. It is rarely a longer cell, and usually an unclosed quote, so only
  /// the first line is rejected.
  /// Otherwise the row is too long, which is an error.
  private func rejectOverlongRow() throws -> Bool {
    let position = scan.kernel.position
    if lines == nil, let end = scan.lineEnd(), end - position <= limits.row {
      return scan.rejectLine(
        .longQuote(limit: limits.row, setting: limits.rowSetting(for: store.count)))
    }
    var counter = LineCounter(store, dialect: scan.kernel.dialect)
    // The place is the last line of the row.
    let rest = window[position..<scan.kernel.length]
    let start = lines == nil ? 0 : rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    throw TableError.limit(
      "a row has more than \(limits.row.counted("byte"))",
      setting: limits.rowSetting(for: store.count),
      at: TextPosition(line: try counter.line(at: windowPosition + start), column: 1))
  }
}
