internal import CScan

/// Finds the rows of a delimited text.
struct RowSearch: Sendable {
  let store: any ByteStore
  let start: Int
  let dialect: Dialect
  let columns: Int
  let limits: ReadLimits
  let sizes: ScanSizes
  /// Takes the rows of all stretches.
  let pass: ColumnPass?
  let cancellation: Cancellation

  private static let guessSize = 16 << 10
  /// Behind this place of a text the lengths of rows are not remembered, as they take memory.
  private static let mostRemembered = 4 << 30

  /// The stretches as they are if their first rows begin where it seems, by piece; nil where a row is
  /// too long to be one.
  func guessedStretches() throws -> [RowIndex.Stretch?] {
    let pieces = max(1, (store.count - start + sizes.stretch - 1) / sizes.stretch)
    let scanners = WorkerSlots<RowScanner>(Parallel.workers)
    let found = WorkerSlots<RowIndex.Stretch>(pieces)
    try Parallel.forEach(pieces) { piece, worker in
      try cancellation.check()
      let scanner = scanners.value(worker) { makeScanner(batch: pass?.batch ?? 4096) }
      let lower = start + piece * sizes.stretch
      let first = piece == 0 ? lower : try guessRowStart(behind: lower)
      do {
        found[piece] = try scan(
          with: scanner, from: first, to: end(ofPiece: piece), remembersLengths: pass == nil
        ) {
          pass?.take($0, of: scanner, from: nil, worker: worker)
        }
        try pass?.endPiece(piece, worker: worker)
      } catch TableError.limit where piece > 0 {
        // A wrong guess reads rows that are none; the right one will tell whether there is such a row.
      }
    }
    return (0..<pieces).map { found[$0] }
  }

  /// Puts the stretches in a row; one that does not begin where the one before ended is scanned
  /// again from there. Tells too whether none was.
  func joined(_ found: [RowIndex.Stretch?]) throws -> ([RowIndex.Stretch], Bool) {
    var joined: [RowIndex.Stretch] = []
    joined.reserveCapacity(found.count)
    var position = start
    var row = 0
    var areGuessesRight = true
    for (piece, guessed) in found.enumerated() {
      var stretch: RowIndex.Stretch
      if let guessed, guessed.range.lowerBound == position {
        stretch = guessed
      } else {
        try cancellation.check()
        areGuessesRight = false
        stretch = try scan(
          with: makeScanner(batch: 4096), from: position, to: end(ofPiece: piece),
          remembersLengths: true)
      }
      stretch.firstRow = row
      row += stretch.count
      position = stretch.range.upperBound
      if !stretch.range.isEmpty { joined.append(stretch) }
    }
    return (joined, areGuessesRight)
  }

  private func end(ofPiece piece: Int) -> Int {
    min(start + (piece + 1) * sizes.stretch, store.count)
  }

  private func makeScanner(batch: Int) -> RowScanner {
    RowScanner(
      store, dialect: dialect, columns: columns, limits: limits, windowSize: sizes.window,
      batch: batch, checksEncoding: true)
  }

  /// Rows that begin from `first` up to `limit`.
  /// - Parameter remembersLengths: not worth it where hardly a column will be decoded.
  private func scan(
    with scanner: RowScanner, from first: Int, to limit: Int, remembersLengths: Bool,
    _ take: (UnsafeBufferPointer<ds_row>) -> Void = { _ in }
  ) throws -> RowIndex.Stretch {
    var stretch = RowIndex.Stretch(range: first..<first)
    guard first < limit else { return stretch }
    scanner.start(first..<limit)
    while let batch = try scanner.next() {
      take(batch)
      stretch.addAnchors(batch, of: scanner)
      if remembersLengths, limit <= Self.mostRemembered {
        stretch.addLengths(batch, ofBytes: limit - first)
      }
      stretch.count += batch.count
    }
    stretch.range = first..<scanner.position
    stretch.findings = scanner.findings
    // Rows do not overlap, so they leave no gap when they fill the range; and none was cut off.
    let filled = stretch.lengths.reduce(0) { $0 &+ Int($1) }
    if filled != scanner.windowPosition - first { stretch.lengths = [] }
    return stretch
  }

  private func guessRowStart(behind offset: Int) throws -> Int {
    // A row that begins at the cut itself has its terminator right before.
    let from = offset - 1
    var size = Self.guessSize
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
