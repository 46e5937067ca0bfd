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
  var findings = Findings()

  /// The window; `offset` is the place of its first byte in the store.
  var window: UnsafeMutableRawBufferPointer
  var offset = 0
  var scan: ds_csv_scan
  let rows: UnsafeMutablePointer<ds_row>
  let kernels = ds_kernels_best().pointee
  /// The first row that begins here or behind belongs to others.
  var limit = 0
  /// Whether a row ends at the limit, so that nothing behind it needs to be read.
  var endsAtLimit = false
  /// Whether the window reaches the end of the text; it then ends with a terminator.
  var isLast = false

  /// The lengths of the rows that are yet to come, where they are known.
  private var lengths: ArraySlice<UInt16> = []

  /// Bytes before this place in the store are known to be UTF-8; nil when it is not asked for.
  var checkedEnd: Int?

  static let padding = Int(DS_PADDING)

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

  /// How many rows come at once when so many fields of each are looked at: all of them should fit
  /// the cache, and the memory.
  static func batch(ofFields count: Int) -> Int { min(4096, max(16, 65_536 / max(1, count))) }

  /// Begins a stretch: rows that begin in `range`, the first of which begins at its lower bound.
  /// - Parameter endsWithRow: whether the last of them is known to end with the range.
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

  /// Begins a stretch whose rows were found before.
  func start(_ stretch: RowIndex.Stretch) {
    start(stretch.range, endsWithRow: !stretch.lengths.isEmpty)
    lengths = stretch.lengths[...]
  }

  /// Where the next row begins; after the last batch the end of the stretch.
  var position: Int { min(windowPosition, store.count) }

  /// The same, behind the terminator that the scanner adds where the last row of the text has none.
  var windowPosition: Int { offset + scan.position }

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
    if !lengths.isEmpty { return try nextOfKnownLength() }
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

  private func nextOfKnownLength() throws -> UnsafeBufferPointer<ds_row>? {
    while true {
      let most = min(lengths.count, scan.capacity)
      let length = scan.length
      var position = scan.position
      // In a local, as a property of a class is checked at each access.
      let rows = rows
      let count = lengths.withUnsafeBufferPointer { lengths in
        for index in 0..<most {
          let end = position &+ Int(lengths[index])
          if end > length { return index }
          rows[index] = ds_row(
            start: UInt32(truncatingIfNeeded: position), end: UInt32(truncatingIfNeeded: end))
          position = end
        }
        return most
      }
      scan.position = position
      scan.count = count
      lengths = lengths.dropFirst(count)
      if count > 0 { return batch }
      guard !isLast, try refill() else { return nil }
    }
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
