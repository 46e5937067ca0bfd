internal import CScan

/// Decodes columns of a delimited text in one pass over the file.
///
/// Each worker numbers the distinct cells it meets in a dictionary of its own; the dictionaries are
/// joined in the end. Codes take 16 bits until more are needed; numbers or dates with many distinct
/// cells become keys of 64 bits instead.
struct ColumnDecoder {
  let table: DelimitedTable
  /// As declared, or inferred from a sample.
  let types: [ColumnType]
  let cells: CellReader

  struct Decoded {
    var position: Int
    var column: KeyColumn
    /// As all cells have it.
    var type: ColumnType
  }

  func decode(_ columns: [Int], cancellation: Cancellation) throws -> [Decoded] {
    var targets = columns.map { target($0, .narrow) }
    try pass(over: targets, cancellation: cancellation)
    // What did not fit goes on wider, in a pass over those columns alone.
    let places = targets.indices.filter { targets[$0].didOverflow }
    for place in places { targets[place] = target(targets[place].position, .wide) }
    try pass(over: places.map { targets[$0] }, cancellation: cancellation)
    var decoded: [Decoded] = []
    // From the end, so that the memory of each goes before the next one needs some.
    while let target = targets.popLast() {
      try cancellation.check()
      let (column, type) = target.finish(cells: cells)
      decoded.append(Decoded(position: target.position, column: column, type: type))
    }
    return decoded.reversed()
  }

  private func target(_ position: Int, _ width: ColumnTarget.Width) -> ColumnTarget {
    ColumnTarget(
      rows: table.count, width: width, position: position,
      // What did not become keys at once never does.
      kind: width == .narrow ? NumericKind(types[position]) : nil,
      declared: table.options.types[table.keys[position]])
  }

  private func pass(over targets: [ColumnTarget], cancellation: Cancellation) throws {
    guard !targets.isEmpty else { return }
    let scanners = WorkerSlots<RowScanner>(Parallel.workers)
    let stretches = table.index.stretches
    try Parallel.forEach(stretches.count) { piece, worker in
      try cancellation.check()
      let scanner = scanners.value(worker) {
        RowScanner(
          table.store, dialect: table.dialect, columns: table.keys.count,
          limits: table.options.limits, windowSize: table.sizes.window,
          batch: RowScanner.batch(ofFields: targets.count))
      }
      try decode(stretches[piece], with: scanner, into: targets, worker: worker)
    }
    for target in targets { target.completeKeys(cells: cells) }
  }

  private func decode(
    _ stretch: RowIndex.Stretch, with scanner: RowScanner, into targets: [ColumnTarget], worker: Int
  ) throws {
    let wanted = targets.map { UInt32($0.position) }
    let kernels = ds_kernels_best().pointee
    let rows = stretch.firstRow..<stretch.firstRow + stretch.count
    var row = rows.lowerBound
    scanner.start(stretch)
    try withUnsafeTemporaryAllocation(
      of: ds_field.self, capacity: scanner.batchCapacity * wanted.count
    ) { buffer in
      guard let fields = buffer.baseAddress else { return }
      while let batch = try scanner.next(), row + batch.count <= rows.upperBound {
        kernels.csv_fields(
          scanner.bytes, table.dialect.delimiter, table.dialect.terminator, batch.baseAddress,
          batch.count, wanted, wanted.count, fields)
        for (place, target) in targets.enumerated() where !target.didOverflow {
          target.take(
            fields + place, count: batch.count, stride: wanted.count, bytes: scanner.bytes,
            firstRow: row, worker: worker, cells: cells)
        }
        row += batch.count
      }
    }
    guard row == rows.upperBound else {
      throw TableError.changed("the rows are not where they were")
    }
    for target in targets { target.note(rows: rows, worker: worker) }
  }
}
