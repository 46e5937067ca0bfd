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

  /// - Parameters:
  ///   - columns: ascending.
  ///   - anticipated: those of them that were decoded as the rows were looked for.
  func decode(
    _ columns: [Int], anticipated: [Int: ColumnTarget], cancellation: Cancellation
  ) throws -> [Decoded] {
    var targets = columns.map { position in
      anticipated[position] ?? target(position, kind: NumericKind(types[position]))
    }
    try pass(over: targets.filter { anticipated[$0.position] == nil }, cancellation: cancellation)
    for target in targets { target.complete(cells: cells) }
    // What did not become keys at once never does, and goes on in a pass over those columns alone.
    let places = targets.indices.filter { targets[$0].didOverflow }
    for place in places { targets[place] = target(targets[place].position, kind: nil) }
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

  private func target(_ position: Int, kind: NumericKind?) -> ColumnTarget {
    ColumnTarget(
      rows: .known(table.count), position: position, kind: kind,
      declared: table.options.types[table.keys[position]])
  }

  private func pass(over targets: [ColumnTarget], cancellation: Cancellation) throws {
    guard !targets.isEmpty else { return }
    let pass = ColumnPass(targets, dialect: table.dialect, cells: cells)
    let scanners = WorkerSlots<RowScanner>(Parallel.workers)
    let stretches = table.index.stretches
    try Parallel.forEach(stretches.count) { piece, worker in
      try cancellation.check()
      let scanner = scanners.value(worker) {
        RowScanner(
          table.store, dialect: table.dialect, columns: table.keys.count,
          limits: table.options.limits, windowSize: table.sizes.window, batch: pass.batch)
      }
      let stretch = stretches[piece]
      var row = stretch.firstRow
      let end = row + stretch.count
      scanner.start(stretch)
      while let batch = try scanner.next(), row + batch.count <= end {
        pass.take(batch, of: scanner, from: row, worker: worker)
        row += batch.count
      }
      guard row == end else { throw TableError.changed("the rows are not where they were") }
      pass.endPiece(piece, worker: worker)
    }
  }
}
