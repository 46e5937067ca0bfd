/// Makes one column of what the workers decoded.
extension ColumnTarget {
  func finish(cells: CellReader) -> (column: KeyColumn, type: ColumnType) {
    if form == .texts {
      let texts = DistinctValues(joinedTexts(cells))
      return (.coded(.natural(texts.count), values: texts), .string)
    }
    if form == .keys, let kind {
      return (.keyed(NumericColumn(kind: kind.column, keys: NumericKeys(keys))), kind.type)
    }
    let (dictionary, mappings) = joinedDictionary()
    let type = declared ?? tally(dictionary, cells: cells).type
    if let kind = NumericKind(type), dictionary.count > Self.mostCodedNumbers,
      let keys = keys(of: dictionary, as: kind, cells: cells)
    {
      let memory = NumericKeyMemory(rows: rows)
      join(mappings, into: memory.keys) { keys[$0] }
      return (.keyed(NumericColumn(kind: kind.column, keys: NumericKeys(memory))), type)
    }
    return (.coded(codes(mappings, dictionary), values: values(dictionary, type, cells)), type)
  }

  /// The first worker's dictionary with what the others found, and for every worker the joined code
  /// of each of its codes (those of rows: 0 is the empty cell).
  private func joinedDictionary() -> (ByteDictionary, [[UInt32]?]) {
    let all = (0..<Parallel.workers).map { workers[$0]?.dictionary }
    let joined = all.lazy.compactMap { $0 }.first ?? ByteDictionary()
    let mappings = all.map { dictionary -> [UInt32]? in
      guard let dictionary, dictionary !== joined else { return nil }
      return [0]
        + (0..<dictionary.count).map { code in
          dictionary.withBytes(of: code) { joined.code(for: $0) + 1 }
        }
    }
    return (joined, mappings)
  }

  func tally(_ dictionary: ByteDictionary, cells: CellReader) -> TypeTally {
    var tally = TypeTally()
    for code in 0..<dictionary.count {
      dictionary.withBytes(of: code) { if !cells.isNull($0) { tally.add($0) } }
    }
    return tally
  }

  private func values(
    _ dictionary: ByteDictionary, _ type: ColumnType, _ cells: CellReader
  ) -> DistinctValues {
    let codes = 0..<dictionary.count
    if type == .string, dictionary.count > Self.mostCodedStrings {
      let writer = TextWriter()
      writer.appendNull()
      for code in codes { dictionary.withBytes(of: code) { cells.append($0, to: writer) } }
      return DistinctValues(TextHeap(writer.finish()))
    }
    return DistinctValues(
      [.null]
        + codes.map { code in dictionary.withBytes(of: code) { cells.value(of: $0, as: type) } })
  }

  private func codes(_ mappings: [[UInt32]?], _ dictionary: ByteDictionary) -> RowCodes {
    dictionary.count < 1 << 16
      ? .narrow(joined(mappings) { UInt16(truncatingIfNeeded: $0) })
      : .wide(joined(mappings) { UInt32(truncatingIfNeeded: $0) })
  }

  // Inlined with its closure: no call a row.
  @inline(__always)
  private func joined<Cell>(_ mappings: [[UInt32]?], _ cell: (Int) -> Cell) -> [Cell] {
    [Cell](unsafeUninitializedCapacity: rows) { buffer, count in
      LargePages.advise(buffer)
      join(mappings, into: buffer, cell)
      count = rows
    }
  }

  // Inlined with its closure: no call a row.
  @inline(__always)
  private func join<Cell>(
    _ mappings: [[UInt32]?], into buffer: UnsafeMutableBufferPointer<Cell>, _ cell: (Int) -> Cell
  ) {
    switch width {
    case .narrow: join(codes(UInt16.self), mappings, into: buffer, cell)
    case .wide: join(codes(UInt32.self), mappings, into: buffer, cell)
    }
  }

  // Inlined with its closure: no call a row.
  @inline(__always)
  private func join<Code: FixedWidthInteger & SendableMetatype, Cell>(
    _ codes: UnsafeBufferPointer<Code>, _ mappings: [[UInt32]?],
    into buffer: UnsafeMutableBufferPointer<Cell>, _ cell: (Int) -> Cell
  ) {
    let pieces = decodedPieces
    // Every piece has rows of its own.
    nonisolated(unsafe) let buffer = buffer
    nonisolated(unsafe) let codes = codes
    withoutActuallyEscaping(cell) { cell in
      nonisolated(unsafe) let cell = cell
      Parallel.forEach(pieces.count) { number, _ in
        let piece = pieces[number]
        if let mapping = mappings[piece.worker] {
          mapping.withUnsafeBufferPointer { mapping in
            for row in piece.rows {
              buffer.initializeElement(at: row, to: cell(Int(mapping[Int(codes[row])])))
            }
          }
        } else {
          for row in piece.rows { buffer.initializeElement(at: row, to: cell(Int(codes[row]))) }
        }
      }
    }
  }

  private func codes<Code>(_ type: Code.Type) -> UnsafeBufferPointer<Code> {
    UnsafeBufferPointer(start: memory.assumingMemoryBound(to: type), count: rows)
  }

  /// The code of a row that is kept as one.
  func code(of row: Int) -> Int {
    switch width {
    case .narrow: Int(codes(UInt16.self)[row])
    case .wide: Int(codes(UInt32.self)[row])
    }
  }
}
