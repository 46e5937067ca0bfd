internal import CScan

/// The positions of the rows of a delimited text: the offset of every 16th row, and usually the
/// lengths of all rows.
///
/// The text is split into chunks that are scanned in parallel. The start of a chunk's first row is
/// guessed; the guess is accepted only if the previous chunk ends exactly there.
struct RowIndex: Sendable {
  /// The rows that one worker found in one scan.
  struct Chunk: Sendable {
    /// From the first byte of the first row to the end of the last.
    var range: Range<Int>
    /// The number of the first row.
    var firstRow = 0
    var count = 0
    /// Offsets of rows 0, 16, 32 … of the chunk, relative to `range`.
    var anchors: [UInt32] = []
    /// The length of each row in bytes, so that decoding a column need not search for row ends
    /// again. Empty if the rows are not contiguous, if a length does not fit 16 bits, or if the
    /// scan did not keep the lengths.
    var lengths: [UInt16] = []
    var findings = RowFindings()
  }

  static let spacing = 16

  let chunks: [Chunk]
  let count: Int
  /// Whether every chunk starts where it was guessed to start.
  let areGuessesRight: Bool

  /// Scans the rows of `store` from `start` on.
  ///
  /// - Parameter pass: decodes columns during the scan; its columns are usable only if
  ///   ``areGuessesRight`` is true.
  /// - Throws: ``TableError/encoding(expected:offset:fitting:)``,
  ///   ``TableError/limit(_:setting:at:)``, ``TableError/io(_:)`` if memory runs out during the
  ///   pass, ``TableError/cancelled``, and the errors of the store.
  init(
    _ store: any ByteStore, from start: Int, dialect: Dialect, columns: Int, limits: ReadLimits,
    sizes: ScanSizes = ScanSizes(), decoding pass: ColumnPass? = nil, cancellation: Cancellation
  ) throws {
    let search = RowSearch(
      store: store, start: start, dialect: dialect, columns: columns, limits: limits, sizes: sizes,
      pass: pass, cancellation: cancellation)
    let found = try search.guessedChunks()
    (chunks, areGuessesRight) = try search.joined(found)
    count = chunks.reduce(0) { $0 + $1.count }
  }

  /// - Parameter chunks: adjacent and in order.
  init(joining chunks: [Chunk]) {
    self.chunks = chunks
    count = chunks.last.map { $0.firstRow + $0.count } ?? 0
    areGuessesRight = true
  }

  /// The number of rejected lines that may continue the entry before. O(chunks).
  var continuations: Int { chunks.reduce(0) { $0 + $1.findings.continuations } }

  /// The number of lines that continue rows. O(chunks).
  var continued: Int { chunks.reduce(0) { $0 + $1.findings.continued } }

  /// The rows that share the anchor of `row`, and their bytes. O(log chunks).
  func group(of row: Int) -> (range: Range<Int>, rows: Range<Int>) {
    var low = 0
    var high = chunks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if chunks[middle].firstRow <= row { low = middle } else { high = middle }
    }
    return chunks[low].group(of: row)
  }
}

extension RowIndex.Chunk {
  fileprivate func group(of row: Int) -> (range: Range<Int>, rows: Range<Int>) {
    let anchor = (row - firstRow) / RowIndex.spacing
    let start = range.lowerBound + Int(anchors[anchor])
    let end =
      anchor + 1 < anchors.count ? range.lowerBound + Int(anchors[anchor + 1]) : range.upperBound
    let first = firstRow + anchor * RowIndex.spacing
    return (start..<end, first..<min(first + RowIndex.spacing, firstRow + count))
  }

  fileprivate mutating func addAnchors(
    _ batch: UnsafeBufferPointer<ds_row>, of scanner: RowScanner
  ) {
    var next = -count & (RowIndex.spacing - 1)
    while next < batch.count {
      anchors.append(UInt32(scanner.storeOffset(batch[next].start) - range.lowerBound))
      next += RowIndex.spacing
    }
  }

  /// - Parameter bytes: the approximate size of the chunk.
  fileprivate mutating func addLengths(_ batch: UnsafeBufferPointer<ds_row>, ofBytes bytes: Int) {
    if let last = batch.last, count == 0 {
      // Reserve memory for the estimated number of rows, because growing an array fragments memory.
      let length = max(1, Int(last.end - batch[0].start) / batch.count)
      lengths.reserveCapacity(min(bytes / length * 9 / 8, 1 << 22))
    }
    // Appended as a batch, because appending single elements takes several times as long.
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: batch.count) { found in
      for index in batch.indices {
        found[index] = UInt16(truncatingIfNeeded: batch[index].end &- batch[index].start)
      }
      lengths.append(contentsOf: found)
    }
  }
}

/// Finds the rows of a delimited text with all workers.
private struct RowSearch: Sendable {
  let store: any ByteStore
  let start: Int
  let dialect: Dialect
  let columns: Int
  let limits: ReadLimits
  let sizes: ScanSizes
  /// Decodes columns of the rows of all chunks.
  let pass: ColumnPass?
  let cancellation: Cancellation

  private static let guessSize = 16 << 10
  /// Row lengths are not kept for the part of a text after this offset, because they take memory.
  private static let maxLengthsEnd = 4 << 30

  /// The chunks, assuming that their first rows start where guessed; nil for a chunk with a row
  /// that is too long.
  func guessedChunks() throws -> [RowIndex.Chunk?] {
    let chunkCount = max(1, (store.count - start + sizes.chunk - 1) / sizes.chunk)
    let scanners = WorkerSlots<RowScanner>(Parallel.workers)
    let found = WorkerSlots<RowIndex.Chunk>(chunkCount)
    try Parallel.forEach(chunkCount) { number, worker in
      try cancellation.check()
      let scanner = scanners.value(worker) {
        makeScanner(batch: pass?.batch ?? 4096, keepsFields: pass != nil)
      }
      let lower = start + number * sizes.chunk
      let first =
        number == 0 ? lower : try guessRowStart(after: lower, before: end(ofChunk: number))
      do {
        found[number] = try scan(
          with: scanner, from: first, to: end(ofChunk: number), keepsLengths: pass == nil
        ) {
          pass?.take($0, of: scanner, from: nil, worker: worker)
        }
        try pass?.endChunk(number, worker: worker)
      } catch TableError.limit where number > 0 {
        // A wrong guess can produce a row that is too long; ``joined(_:)`` scans the chunk again
        // from the right start. All other errors, such as too little memory for the columns, end
        // the load.
      }
    }
    return (0..<chunkCount).map { found[$0] }
  }

  /// Joins the chunks in order; a chunk that does not start at the end of the previous one is
  /// scanned again from there. Also returns whether all guesses were right.
  func joined(_ found: [RowIndex.Chunk?]) throws -> ([RowIndex.Chunk], Bool) {
    var joined: [RowIndex.Chunk] = []
    joined.reserveCapacity(found.count)
    var position = start
    var row = 0
    var areGuessesRight = true
    for (number, guessed) in found.enumerated() {
      var chunk: RowIndex.Chunk
      let end = end(ofChunk: number)
      // A row that began before goes beyond the chunk, as was guessed.
      if let guessed, guessed.range.lowerBound >= end, position >= end { continue }
      if let guessed, guessed.range.lowerBound == position {
        chunk = guessed
      } else {
        try cancellation.check()
        areGuessesRight = false
        chunk = try scan(
          with: makeScanner(batch: 4096), from: position, to: end, keepsLengths: true)
      }
      chunk.firstRow = row
      row += chunk.count
      position = chunk.range.upperBound
      if !chunk.range.isEmpty { joined.append(chunk) }
    }
    return (joined, areGuessesRight)
  }

  private func end(ofChunk number: Int) -> Int {
    min(start + (number + 1) * sizes.chunk, store.count)
  }

  private func makeScanner(batch: Int, keepsFields: Bool = false) -> RowScanner {
    let isKept = keepsFields && dialect.lines != nil
    return RowScanner(
      store, dialect: dialect, columns: columns, limits: limits, windowSize: sizes.window,
      batch: isKept ? min(batch, KeptFields.batch(columns: columns)) : batch,
      checksEncoding: true, keepsFields: isKept)
  }

  /// Scans the rows that start from `first` up to `limit`.
  /// - Parameter keepsLengths: false if hardly any column will be decoded later.
  private func scan(
    with scanner: RowScanner, from first: Int, to limit: Int, keepsLengths: Bool,
    _ take: (UnsafeBufferPointer<ds_row>) -> Void = { _ in }
  ) throws -> RowIndex.Chunk {
    var chunk = RowIndex.Chunk(range: first..<first)
    guard first < limit else { return chunk }
    scanner.start(first..<limit)
    while let batch = try scanner.next() {
      take(batch)
      if columns == 1 { scanner.noteReturns(in: batch) }
      chunk.addAnchors(batch, of: scanner)
      if keepsLengths, limit <= Self.maxLengthsEnd {
        chunk.addLengths(batch, ofBytes: limit - first)
      }
      chunk.count += batch.count
    }
    chunk.range = first..<scanner.position
    chunk.findings = scanner.findings
    // Rows do not overlap: if the lengths fill the range, the rows are adjacent and no length
    // overflowed.
    let filled = chunk.lengths.reduce(0) { $0 &+ Int($1) }
    if filled != scanner.windowPosition - first { chunk.lengths = [] }
    return chunk
  }

  /// - Parameter end: the end of the chunk.
  /// - Returns: an offset; one from the end of the chunk on if no row seems to start in the chunk.
  private func guessRowStart(after offset: Int, before end: Int) throws -> Int {
    // Include the byte before `offset`, which ends a line if a row starts at `offset`.
    let from = offset - 1
    var size = Self.guessSize
    while true {
      let bytes = try store.bytes(from..<min(from + size, store.count))
      var kernel = dialect.kernel
      let start = bytes.withUnsafeBufferPointer {
        guard let base = $0.baseAddress else { return 0 }
        return ds_csv_guess_row_start(base, $0.count, 0, &kernel)
      }
      let isWhole = from + bytes.count >= store.count
      // A row without an end within the limit is an error of the chunk where it starts. A longer
      // search of each chunk would read a long row as often as there are chunks in it.
      let isBeyond = from + bytes.count >= end || size > limits.row
      if start < bytes.count || isWhole || isBeyond {
        guard let lines = dialect.lines, lines.continuedColumn != nil else { return from + start }
        // The previous chunk takes the lines that continue its last row.
        let row = LineRows.firstRow(
          in: bytes, from: start, isWhole: isWhole, lines, columns: columns)
        if let row { return from + row }
        if size > Self.maxContinuation { return from + start }
      }
      size *= 4
    }
  }

  /// If the lines after the start of a chunk continue for longer, the chunk is scanned again.
  private static let maxContinuation = 1 << 20
}
