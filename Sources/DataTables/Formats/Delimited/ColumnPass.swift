internal import CScan

/// The columns that are decoded while workers go over the rows of a text.
///
/// Where the text is not known to have its rows where they are looked for, what was decoded may have
/// to be thrown away; until then it is kept piece by piece, without the numbers of rows.
struct ColumnPass: Sendable {
  let targets: [ColumnTarget]
  private let dialect: Dialect
  private let cells: CellReader
  private let wanted: [UInt32]
  private let fields = WorkerSlots<FieldMemory>(Parallel.workers)

  /// - Parameter targets: in the order of their columns.
  init(_ targets: [ColumnTarget], dialect: Dialect, cells: CellReader) {
    self.targets = targets
    self.dialect = dialect
    self.cells = cells
    wanted = targets.map { UInt32($0.position) }
  }

  /// How many rows a scanner is to find at once.
  var batch: Int { RowScanner.batch(ofFields: targets.count) }

  /// Takes the cells of rows, the next ones of the piece at hand.
  /// - Parameter row: the number of the first of them, where it is known.
  func take(
    _ rows: UnsafeBufferPointer<ds_row>, of scanner: RowScanner, from row: Int?, worker: Int
  ) {
    guard !targets.isEmpty else { return }
    let memory = fields.value(worker) {
      FieldMemory(capacity: scanner.batchCapacity * wanted.count)
    }
    let fields = memory.start
    scanner.kernels.csv_fields(
      scanner.bytes, dialect.delimiter, dialect.terminator, rows.baseAddress, rows.count, wanted,
      wanted.count, fields)
    for (place, target) in targets.enumerated() where !target.didOverflow {
      target.take(
        fields + place, count: rows.count, stride: wanted.count, bytes: scanner.bytes,
        firstRow: row, worker: worker, cells: cells)
    }
  }

  /// Ends a piece, of which a worker took all rows.
  func endPiece(_ number: Int, worker: Int) throws(TableError) {
    for target in targets { try target.endPiece(number, worker: worker) }
  }

  /// The fields of a batch. One for each worker.
  private final class FieldMemory {
    let start: UnsafeMutablePointer<ds_field>
    init(capacity: Int) { start = .allocate(capacity: capacity) }
    deinit { start.deallocate() }
  }
}
