/// What is made of the codes of each worker, row by row.
struct CodeJoin<Cell: BitwiseCopyable & Sendable>: Sendable {
  /// For every worker what its codes stand for, that of an empty cell first.
  let tables: [[Cell]]

  /// Writes the cells of all rows that are kept as codes, in their places.
  func write(_ pieces: [ColumnPiece], to rows: UnsafeMutableBufferPointer<Cell>) {
    // Every piece has rows of its own.
    nonisolated(unsafe) let rows = rows
    Parallel.forEach(pieces.count) { number, _ in
      let piece = pieces[number]
      var row = piece.firstRow
      for run in piece.runs {
        let place = rows.extracting(row..<row + run.count)
        switch run {
        case .narrow(let codes): write(codes, of: piece.worker, to: place)
        case .wide(let codes): write(codes, of: piece.worker, to: place)
        case .texts, .keys: break
        }
        row += run.count
      }
    }
  }

  private func write<Code: FixedWidthInteger>(
    _ codes: UnsafeBufferPointer<Code>, of worker: Int, to rows: UnsafeMutableBufferPointer<Cell>
  ) {
    tables[worker].withUnsafeBufferPointer { table in
      for index in codes.indices {
        rows.initializeElement(at: index, to: table[Int(truncatingIfNeeded: codes[index])])
      }
    }
  }
}
