internal import CScan

/// Where the rows of a delimited text begin: the place of every 16th is remembered, and of all of them
/// mostly the lengths.
///
/// The text is cut into stretches that are scanned at the same time. Where a stretch's first row
/// begins is guessed; a guess is taken only when the stretch before ends exactly there.
struct RowIndex: Sendable {
  /// Rows of a stretch of the text.
  struct Stretch: Sendable {
    /// From the first row's first byte to behind the last row.
    var range: Range<Int>
    /// The number of its first row.
    var firstRow = 0
    var count = 0
    /// Relative to the range, of rows 0, 16, 32 … of the stretch.
    var anchors: [UInt32] = []
    /// The bytes of each row, where they lie one behind the other and none is longer than a number of
    /// 16 bits tells: who decodes columns need not look for the ends of rows again. Else empty.
    var lengths: [UInt16] = []
    var findings = RowScanner.Findings()
  }

  static let spacing = 16
  /// Behind this place of a text the lengths of rows are not remembered, as they take memory.
  private static let mostRemembered = 4 << 30

  let stretches: [Stretch]
  let count: Int
  /// Whether every stretch began where it was guessed to.
  let areGuessesRight: Bool

  /// Scans the rows of `store` from `start` on.
  ///
  /// - Parameter pass: takes the rows of all stretches, in vain where a guess is wrong.
  /// - Throws: ``TableError/encoding(expected:offset:fitting:)``, ``TableError/limit(_:setting:at:)``,
  ///   ``TableError/cancelled``, and what the store throws.
  init(
    _ store: any ByteStore, from start: Int, dialect: Dialect, columns: Int, limits: ReadLimits,
    sizes: ScanSizes = ScanSizes(), decoding pass: ColumnPass? = nil, cancellation: Cancellation
  ) throws {
    let pieces = max(1, (store.count - start + sizes.stretch - 1) / sizes.stretch)
    let workers = Parallel.workers
    let scanners = WorkerSlots<RowScanner>(workers)
    let found = WorkerSlots<Stretch>(pieces)
    try Parallel.forEach(pieces, workers: workers) { piece, worker in
      try cancellation.check()
      let scanner = scanners.value(worker) {
        RowScanner(
          store, dialect: dialect, columns: columns, limits: limits, windowSize: sizes.window,
          batch: pass?.batch ?? 4096, checksEncoding: true)
      }
      let lower = start + piece * sizes.stretch
      let upper = min(lower + sizes.stretch, store.count)
      let first =
        piece == 0 ? lower : try Self.guessRowStart(store, behind: lower, dialect: dialect)
      do {
        found[piece] = try Self.scan(scanner, from: first, to: upper) {
          pass?.take($0, of: scanner, from: nil, worker: worker)
        }
        pass?.endPiece(piece, worker: worker)
      } catch TableError.limit where piece > 0 {
        // A wrong guess reads rows that are none; the right one will tell whether there is such a row.
      }
    }
    let scanner = RowScanner(
      store, dialect: dialect, columns: columns, limits: limits, windowSize: sizes.window,
      checksEncoding: true)
    (stretches, count, areGuessesRight) = try Self.join(
      (0..<pieces).map { found[$0] }, from: start, size: sizes.stretch, end: store.count,
      scanner: scanner, cancellation: cancellation)
  }

  /// Rows that begin from `first` up to `limit`.
  private static func scan(
    _ scanner: RowScanner, from first: Int, to limit: Int,
    _ take: (UnsafeBufferPointer<ds_row>) -> Void = { _ in }
  ) throws -> Stretch {
    var stretch = Stretch(range: first..<first)
    guard first < limit else { return stretch }
    scanner.start(first..<limit)
    // Copied from here, as an array that grows by one element after another takes several times as long.
    let lengths = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: scanner.batchCapacity)
    defer { lengths.deallocate() }
    while let batch = try scanner.next() {
      take(batch)
      var next = -stretch.count & (spacing - 1)
      while next < batch.count {
        stretch.anchors.append(UInt32(scanner.storeOffset(batch[next].start) - first))
        next += spacing
      }
      if let last = batch.last, stretch.count == 0 {
        // About what all rows take, as memory that grows leaves pieces behind.
        let length = max(1, Int(last.end - batch[0].start) / batch.count)
        stretch.lengths.reserveCapacity(min((limit - first) / length * 9 / 8, 1 << 22))
      }
      stretch.count += batch.count
      for (index, row) in batch.enumerated() {
        lengths[index] = UInt16(truncatingIfNeeded: row.end &- row.start)
      }
      stretch.lengths.append(contentsOf: UnsafeBufferPointer(rebasing: lengths[..<batch.count]))
    }
    stretch.range = first..<scanner.position
    stretch.findings = scanner.findings
    // Rows do not overlap, so they leave no gap when they fill the range; and none was cut off.
    let filled = stretch.lengths.reduce(0) { $0 &+ Int($1) }
    if filled != scanner.windowPosition - first || limit > mostRemembered { stretch.lengths = [] }
    return stretch
  }

  /// Puts the stretches in a row; one that does not begin where the one before ended is scanned
  /// again from there.
  private static func join(
    _ found: [Stretch?], from start: Int, size: Int, end: Int, scanner: RowScanner,
    cancellation: Cancellation
  ) throws -> ([Stretch], Int, Bool) {
    var joined: [Stretch] = []
    joined.reserveCapacity(found.count)
    var position = start
    var row = 0
    var areGuessesRight = true
    for (piece, guessed) in found.enumerated() {
      let limit = min(start + (piece + 1) * size, end)
      var stretch: Stretch
      if let guessed, guessed.range.lowerBound == position {
        stretch = guessed
      } else {
        try cancellation.check()
        areGuessesRight = false
        stretch = try scan(scanner, from: position, to: limit)
      }
      stretch.firstRow = row
      row += stretch.count
      position = stretch.range.upperBound
      if !stretch.range.isEmpty { joined.append(stretch) }
    }
    return (joined, row, areGuessesRight)
  }

  /// The neighbours that are found from one anchor. O(log stretches).
  func group(of row: Int) -> (range: Range<Int>, rows: Range<Int>) {
    var low = 0
    var high = stretches.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if stretches[middle].firstRow <= row { low = middle } else { high = middle }
    }
    return stretches[low].group(of: row)
  }
}

extension RowIndex.Stretch {
  fileprivate func group(of row: Int) -> (range: Range<Int>, rows: Range<Int>) {
    let anchor = (row - firstRow) / RowIndex.spacing
    let start = range.lowerBound + Int(anchors[anchor])
    let end =
      anchor + 1 < anchors.count ? range.lowerBound + Int(anchors[anchor + 1]) : range.upperBound
    let first = firstRow + anchor * RowIndex.spacing
    return (start..<end, first..<min(first + RowIndex.spacing, firstRow + count))
  }
}

/// How much of a text is looked at in one go, in bytes.
struct ScanSizes: Sendable {
  /// Whole texts up to this size are looked at for the types of their columns; of larger ones a
  /// sample is, and a column is settled when it is touched.
  var exact = 1 << 20
  var sample = 256 << 10
  /// What one worker takes.
  var stretch = 4 << 20
  /// What is in memory at a time; it should fit the second-level cache.
  var window = 256 << 10
}

extension RowIndex {
  private static let guessSize = 16 << 10

  private static func guessRowStart(
    _ store: any ByteStore, behind offset: Int, dialect: Dialect
  ) throws -> Int {
    // A row that begins at the cut itself has its terminator right before.
    let from = offset - 1
    var size = guessSize
    while true {
      let bytes = try store.bytes(from..<min(from + size, store.count))
      let start = bytes.withUnsafeBufferPointer {
        guard let base = $0.baseAddress else { return 0 }
        return ds_csv_guess_row_start(base, $0.count, 0, dialect.delimiter, dialect.terminator)
      }
      if start < bytes.count || from + bytes.count >= store.count { return from + start }
      size *= 4
    }
  }
}

extension ByteStore {
  /// A copy of some bytes, cut at the end of the store.
  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
