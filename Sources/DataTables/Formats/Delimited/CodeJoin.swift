/// Brings the codes of several workers to one dictionary, and to the places of their rows.
struct CodeJoin: Sendable {
  private let pieces: [ColumnPiece]
  private let mappings: [[UInt32]?]
  private let rows: Int

  /// - Parameters:
  ///   - mappings: for every worker the joined code of each of its codes; nil where they are the same.
  init(pieces: [ColumnPiece], mappings: [[UInt32]?], rows: Int) {
    self.pieces = pieces
    self.mappings = mappings
    self.rows = rows
  }

  func codes(of dictionary: ByteDictionary) -> RowCodes {
    dictionary.count < 1 << 16
      ? .narrow(joined { UInt16(truncatingIfNeeded: $0) })
      : .wide(joined { UInt32(truncatingIfNeeded: $0) })
  }

  // Inlined with its closure: no call a row.
  @inline(__always)
  private func joined<Cell>(_ cell: (Int) -> Cell) -> [Cell] {
    [Cell](unsafeUninitializedCapacity: rows) { buffer, count in
      LargePages.advise(buffer)
      write(to: buffer, cell)
      count = rows
    }
  }

  /// Writes what `cell` makes of each row's joined code.
  // Inlined with its closure: no call a row.
  @inline(__always)
  func write<Cell>(to buffer: UnsafeMutableBufferPointer<Cell>, _ cell: (Int) -> Cell) {
    // Every piece has rows of its own.
    nonisolated(unsafe) let buffer = buffer
    withoutActuallyEscaping(cell) { cell in
      nonisolated(unsafe) let cell = cell
      Parallel.forEach(pieces.count) { number, _ in
        let piece = pieces[number]
        let mapping = mappings[piece.worker]
        var row = piece.firstRow
        for run in piece.runs {
          let place = UnsafeMutableBufferPointer(rebasing: buffer[row..<row + run.count])
          switch run {
          case .narrow(let codes): Self.write(codes, mapping, to: place, cell)
          case .wide(let codes): Self.write(codes, mapping, to: place, cell)
          case .texts, .keys: break
          }
          row += run.count
        }
      }
    }
  }

  // Inlined with its closure: no call a row.
  @inline(__always)
  private static func write<Code: FixedWidthInteger, Cell>(
    _ codes: UnsafeBufferPointer<Code>, _ mapping: [UInt32]?,
    to buffer: UnsafeMutableBufferPointer<Cell>, _ cell: (Int) -> Cell
  ) {
    guard let mapping else {
      for index in codes.indices {
        buffer.initializeElement(at: index, to: cell(Int(codes[index])))
      }
      return
    }
    mapping.withUnsafeBufferPointer { mapping in
      for index in codes.indices {
        buffer.initializeElement(at: index, to: cell(Int(mapping[Int(codes[index])])))
      }
    }
  }
}
