internal import CScan

/// Decodes columns of a delimited text in one pass over the file.
///
/// Each worker encodes distinct cells with its own dictionary; the dictionaries are joined at the
/// end. Codes have 16 bits until more bits are needed. Number and date columns with many distinct
/// cells become keys of 64 bits instead.
struct ColumnDecoder {
  let table: DelimitedTable
  /// Requested forms, or forms estimated from a sample.
  let forms: [CellForm]
  let cells: CellReader

  struct Decoded {
    var position: Int
    var column: KeyColumn
    /// The form that fits all cells.
    var form: CellForm
  }

  /// - Parameters:
  ///   - columns: ascending.
  ///   - anticipated: columns that were decoded during the scan for rows.
  ///   - unkeyed: columns known to have a cell without a numeric key.
  func decode(
    _ columns: [Int], anticipated: consuming [Int: ColumnTarget], unkeyed: Set<Int>,
    cancellation: Cancellation
  ) throws -> [Decoded] {
    let fresh = columns.filter { anticipated[$0] == nil }
    var targets: [ColumnTarget] = []
    for column in columns {
      targets.append(
        anticipated.removeValue(forKey: column)
          ?? target(column, isKeyed: !unkeyed.contains(column)))
    }
    try pass(
      over: targets.filter { fresh.contains($0.position) }, cancellation: cancellation)
    var (decoded, unfit) = try finish(&targets, cancellation: cancellation)
    // Columns with a cell that has no key are decoded again without keys, in a pass of their own.
    var again = unfit.sorted().map { target($0, isKeyed: false) }
    try pass(over: again, cancellation: cancellation)
    decoded += try finish(&again, cancellation: cancellation).decoded
    return decoded.sorted { $0.position < $1.position }
  }

  /// Makes columns from the targets. Also returns the positions of the targets with a cell that did
  /// not fit their form.
  private func finish(
    _ targets: inout [ColumnTarget], cancellation: Cancellation
  ) throws -> (decoded: [Decoded], unfit: [Int]) {
    var decoded: [Decoded] = []
    var unfit: [Int] = []
    // Targets are removed one by one, so that the memory of each is freed before the next one
    // allocates.
    while let target = targets.popLast() {
      try cancellation.check()
      target.complete(cells: cells)
      if target.didOverflow {
        unfit.append(target.position)
      } else {
        let (column, form) = try target.finish(cells: cells)
        decoded.append(Decoded(position: target.position, column: column, form: form))
      }
    }
    return (decoded, unfit)
  }

  private func target(_ position: Int, isKeyed: Bool) -> ColumnTarget {
    ColumnTarget(
      rows: .known(table.count), position: position, cellForm: forms[position],
      isKeyed: isKeyed, isDeclared: table.options.types[table.keys[position]] != nil)
  }

  private func pass(over targets: [ColumnTarget], cancellation: Cancellation) throws {
    guard !targets.isEmpty else { return }
    let pass = ColumnPass(targets, cells: cells)
    let scanners = WorkerSlots<RowScanner>(Parallel.workers)
    let chunks = table.index.chunks
    try Parallel.forEach(chunks.count) { number, worker in
      try cancellation.check()
      let scanner = scanners.value(worker) {
        RowScanner(
          table.store, dialect: table.dialect, columns: table.keys.count,
          limits: table.options.limits, windowSize: table.sizes.window, batch: pass.batch)
      }
      let chunk = chunks[number]
      var row = chunk.firstRow
      let end = row + chunk.count
      scanner.start(chunk)
      while let batch = try scanner.next(), row + batch.count <= end {
        pass.take(batch, of: scanner, from: row, worker: worker)
        row += batch.count
      }
      guard row == end else { throw TableError.changed("the rows changed since they were loaded") }
      try pass.endChunk(number, worker: worker)
    }
  }
}

/// The columns to decode while workers scan the rows of a text.
///
/// If the positions of the rows are only guessed, the decoded rows are kept by chunk, without row
/// numbers, and are discarded if a guess is wrong.
struct ColumnPass: Sendable {
  let targets: [ColumnTarget]
  private let cells: CellReader
  private let requested: [UInt32]
  private let fields = WorkerSlots<FieldMemory>(Parallel.workers)

  /// - Parameter targets: in ascending order of position.
  init(_ targets: [ColumnTarget], cells: CellReader) {
    self.targets = targets
    self.cells = cells
    requested = targets.map { UInt32($0.position) }
  }

  /// The number of rows that a scanner should find at a time.
  var batch: Int { RowScanner.batch(ofFields: targets.count) }

  /// Decodes the cells of the next rows of the current chunk.
  /// - Parameter row: the number of the first row, if known.
  func take(
    _ rows: UnsafeBufferPointer<ds_row>, of scanner: RowScanner, from row: Int?, worker: Int
  ) {
    guard !targets.isEmpty else { return }
    let memory = fields.value(worker) {
      FieldMemory(capacity: scanner.batchCapacity * requested.count)
    }
    let fields = memory.start
    scanner.locate(requested, of: rows.baseAddress, count: rows.count, into: fields)
    for (place, target) in targets.enumerated() where !target.didOverflow {
      target.take(
        fields + place, count: rows.count, stride: requested.count, bytes: scanner.bytes,
        firstRow: row, worker: worker, cells: cells)
    }
  }

  /// Ends a chunk whose rows a worker has decoded.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  func endChunk(_ number: Int, worker: Int) throws(TableError) {
    for target in targets { try target.endChunk(number, worker: worker) }
  }

  /// Memory for the fields of a batch; every worker has its own.
  private final class FieldMemory {
    let start: UnsafeMutablePointer<ds_field>
    init(capacity: Int) { start = .allocate(capacity: capacity) }
    deinit { start.deallocate() }
  }
}
