internal import CScan

/// Rows of a stretch of a delimited text, read through one reused window.
///
/// The same scanner finds the rows at load, for a column and for a single object, so that a row is
/// the same row each time. Not thread-safe; each worker has its own.
final class RowScanner {
  /// What was found between the regular rows.
  struct Findings: Sendable {
    var rejects: [RejectedRow] = []
    var padded = 0
    /// Offset and number of fields of the first padded row.
    var firstPadded: (offset: Int, fields: Int)?
    var comments = 0
  }

  let store: any ByteStore
  let dialect: Dialect
  let columns: Int
  let limits: ReadLimits
  private(set) var findings = Findings()

  /// The window; `offset` is the place of its first byte in the store.
  private var window: UnsafeMutableRawBufferPointer
  private var offset = 0
  private var scan: ds_csv_scan
  private let rows: UnsafeMutablePointer<ds_row>
  private let kernels = ds_kernels_best().pointee
  /// The first row that begins here or behind belongs to others.
  private var limit = 0
  /// Whether the window reaches the end of the text; it then ends with a terminator.
  private var isLast = false

  /// Bytes before this place in the store are known to be UTF-8; nil when it is not asked for.
  private var checkedEnd: Int?

  private static let padding = Int(DS_PADDING)

  /// - Parameters:
  ///   - columns: the number of fields of a whole row.
  ///   - windowSize: bytes; the window grows for a longer row.
  ///   - checksEncoding: whether bytes that are not UTF-8 are an error.
  init(
    _ store: any ByteStore, dialect: Dialect, columns: Int, limits: ReadLimits,
    windowSize: Int = 256 << 10, batch: Int = 4096,
    checksEncoding: Bool = false
  ) {
    self.store = store
    self.dialect = dialect
    self.columns = columns
    self.limits = limits
    window = .allocate(byteCount: windowSize + 1 + Self.padding, alignment: 64)
    window.initializeMemory(as: UInt8.self, repeating: 0)
    rows = .allocate(capacity: batch)
    checkedEnd = checksEncoding ? 0 : nil
    scan = ds_csv_scan()
    scan.rows = rows
    scan.capacity = batch
    scan.delimiter = dialect.delimiter
    scan.terminator = dialect.terminator
    scan.comment = dialect.comment.first.map { Int16($0) } ?? -1
    scan.expected = UInt32(columns)
  }

  deinit {
    window.deallocate()
    rows.deallocate()
  }

  /// Begins a stretch: rows that begin in `range`, the first of which begins at its lower bound.
  func start(_ range: Range<Int>) {
    offset = range.lowerBound
    limit = range.upperBound
    isLast = false
    if checkedEnd != nil { checkedEnd = offset }
    scan.position = 0
    scan.length = 0
    findings = Findings()
  }

  /// Where the next row begins; after the last batch the end of the stretch.
  var position: Int { min(offset + scan.position, store.count) }

  /// The bytes that a batch points into.
  var bytes: UnsafePointer<UInt8> {
    UnsafePointer(window.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self))
  }

  /// The place in the store of a place in ``bytes``.
  func storeOffset(_ place: UInt32) -> Int { offset + Int(place) }

  /// The next rows; nil behind the last. They are valid until the next call.
  /// - Throws: what the store throws, ``TableError/limit(_:setting:at:)`` for a row that is too long.
  func next() throws -> UnsafeBufferPointer<ds_row>? {
    scan.count = 0
    while offset + scan.position < limit {
      let stop = scanWindow()
      if clipToLimit() { break }
      switch stop {
      case DS_FULL: return batch
      case DS_IRREGULAR: takeIrregularRow()
      case DS_BROKEN where rejectLine(.junkAfterQuote(column: scan.end - scan.position + 1)): break
      case DS_COMMENT where takeComment(): break
      default:
        // Rows point into the window, so they go out before it moves.
        if scan.count > 0 { return batch }
        if try !refill() { return nil }
      }
      if scan.count == scan.capacity { return batch }
    }
    return scan.count > 0 ? batch : nil
  }

  /// The most rows that come at once.
  var batchCapacity: Int { scan.capacity }

  private var batch: UnsafeBufferPointer<ds_row> {
    UnsafeBufferPointer(start: rows, count: scan.count)
  }

  private func scanWindow() -> ds_stop {
    scan.bytes = bytes
    return kernels.csv_rows(&scan)
  }

  /// Gives back the rows found that begin behind the limit; true when the scan has come so far.
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

// MARK: What is not a regular row

extension RowScanner {
  /// A row with another number of fields: left out when blank, padded when short, else rejected.
  private func takeIrregularRow() {
    let start = scan.position
    let length = contentLength(from: start, to: scan.end)
    if length == 0 && columns != 1 {
      scan.position = scan.end
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

  /// The length of a row without its terminator.
  private func contentLength(from start: Int, to end: Int) -> Int {
    var end = end - 1
    if dialect.terminator == UInt8(ascii: "\n"), end > start, bytes[end - 1] == UInt8(ascii: "\r") {
      end -= 1
    }
    return end - start
  }

  private func appendRow(to end: Int) {
    rows[scan.count] = ds_row(start: UInt32(scan.position), end: UInt32(end))
    scan.count += 1
    scan.position = end
  }

  /// Leaves out the comment line at the position; false when it goes on behind the window.
  private func takeComment() -> Bool {
    let start = scan.position
    if scan.length - start < dialect.comment.count, !isLast { return false }
    let line = UnsafeRawBufferPointer(rebasing: window[start..<scan.length])
    guard line.starts(with: dialect.comment) else {
      // Only its first byte is that of a comment: a row like any other.
      var end = 0
      var fields: UInt32 = 0
      switch ds_csv_row(&scan, start, &end, &fields) {
      case 0:
        scan.end = end
        scan.fields = fields
        if fields == columns { appendRow(to: end) } else { takeIrregularRow() }
        return true
      case 2:
        return rejectLine(.junkAfterQuote(column: end - start + 1))
      default:
        return false
      }
    }
    guard let end = lineEnd() else { return false }
    findings.comments += 1
    scan.position = end
    return true
  }

  /// Behind the terminator of the line at the position.
  private func lineEnd() -> Int? {
    let line = UnsafeBufferPointer(start: bytes + scan.position, count: scan.length - scan.position)
    return line.firstIndex(of: dialect.terminator).map { scan.position + $0 + 1 }
  }

  /// Rejects a row up to the end of its first line: where quotes are broken, the next line is the
  /// next place where a row can begin. False when that line goes on behind the window.
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

// MARK: The window

extension RowScanner {
  /// Brings the row at the position to the front and reads on behind it; false at the end.
  private func refill() throws -> Bool {
    if isLast { return finishLastRow() }
    let kept = scan.length - scan.position
    if kept > limits.row { return try overlong() }
    let base = window.baseAddress.unsafelyUnwrapped
    if kept > 0 { base.copyMemory(from: base + scan.position, byteCount: kept) }
    offset += scan.position
    scan.position = 0
    scan.length = kept
    if kept > capacity / 2 { grow() }
    try read()
    return true
  }

  /// The bytes that fit the window, besides a terminator of our own and the padding.
  private var capacity: Int { window.count - 1 - Self.padding }

  private func read() throws {
    var room = capacity - scan.length
    // Not much further than the stretch goes, as others read what is behind it.
    room = min(room, max(limit - offset - scan.length, 0) + max(4096, scan.length))
    // One byte over the limit is enough to know that a row is too long.
    room = min(room, max(limits.row + 1 - scan.length, 1))
    let target = UnsafeMutableRawBufferPointer(
      rebasing: window[scan.length..<scan.length + room])
    let count = try store.read(at: offset + scan.length, into: target)
    scan.length += count
    try checkEncoding(isAtEnd: count < room)
    if count < room || offset + scan.length >= store.count {
      isLast = true
      if scan.length > 0, bytes[scan.length - 1] != dialect.terminator {
        window[scan.length] = dialect.terminator
        scan.length += 1
      }
    }
  }

  private func checkEncoding(isAtEnd: Bool) throws {
    guard let checkedEnd else { return }
    let start = checkedEnd - offset
    let length = scan.length - start
    let valid = kernels.utf8_valid_prefix(bytes + start, length)
    // A character that is cut by the end of the window is looked at again with what follows.
    guard valid == length || (length - valid < 4 && !isAtEnd) else {
      throw TableError.encoding(
        expected: "UTF-8", offset: checkedEnd + valid,
        fitting: TextEncoding.fitting(UnsafeRawBufferPointer(start: bytes + start, count: length)))
    }
    self.checkedEnd = checkedEnd + valid
  }

  /// At the end of the text only an open quote leaves a row that does not end.
  private func finishLastRow() -> Bool {
    scan.position < scan.length && rejectLine(.unclosedQuote)
  }

  /// A row beyond the limit: an open quote swallowed what follows, or the file has such a row.
  private func overlong() throws -> Bool {
    if let end = lineEnd(), end - scan.position <= limits.row {
      return rejectLine(.unclosedQuote)
    }
    throw TableError.limit(
      "the row at byte \(offset + scan.position) is longer than \(limits.row) bytes",
      setting: "maxRow", at: nil)
  }

  private func grow() {
    let size = capacity * 2
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size + 1 + Self.padding, alignment: 64)
    larger.initializeMemory(as: UInt8.self, repeating: 0)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[0..<scan.length]))
    window.deallocate()
    window = larger
  }
}

/// A row that could not be taken, as the scanner finds it.
struct RejectedRow: Sendable {
  enum Reason: Sendable, Equatable {
    case tooManyFields(Int)
    case unclosedQuote
    /// From 1, in bytes from the start of the row.
    case junkAfterQuote(column: Int)
  }
  var offset: Int
  var length: Int
  var reason: Reason
}
