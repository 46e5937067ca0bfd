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
  ///   - unkeyed: those of them of which it is known that some cell has no key.
  func decode(
    _ columns: [Int], anticipated: consuming [Int: ColumnTarget], unkeyed: Set<Int>,
    cancellation: Cancellation
  ) throws -> [Decoded] {
    let fresh = columns.filter { anticipated[$0] == nil }
    var targets: [ColumnTarget] = []
    for column in columns {
      let kind = unkeyed.contains(column) ? nil : NumericKind(types[column])
      targets.append(anticipated.removeValue(forKey: column) ?? target(column, kind: kind))
    }
    try pass(
      over: targets.filter { fresh.contains($0.position) }, cancellation: cancellation)
    var (decoded, left) = try finish(&targets, cancellation: cancellation)
    // What did not become keys at once never does, and goes on in a pass over those columns alone.
    var again = left.sorted().map { target($0, kind: nil) }
    try pass(over: again, cancellation: cancellation)
    decoded += try finish(&again, cancellation: cancellation).decoded
    return decoded.sorted { $0.position < $1.position }
  }

  /// Makes columns of targets, and tells of which the cells did not fit.
  private func finish(
    _ targets: inout [ColumnTarget], cancellation: Cancellation
  ) throws -> (decoded: [Decoded], left: [Int]) {
    var decoded: [Decoded] = []
    var left: [Int] = []
    // Taken out, so that the memory of each goes before the next one needs some.
    while let target = targets.popLast() {
      try cancellation.check()
      target.complete(cells: cells)
      if target.didOverflow {
        left.append(target.position)
      } else {
        let (column, type) = try target.finish(cells: cells)
        decoded.append(Decoded(position: target.position, column: column, type: type))
      }
    }
    return (decoded, left)
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
      try pass.endPiece(piece, worker: worker)
    }
  }
}
