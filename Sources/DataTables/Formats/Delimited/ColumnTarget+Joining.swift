/// Makes one column of what the workers decoded.
extension ColumnTarget {
  func finish(cells: CellReader) -> (column: KeyColumn, type: ColumnType) {
    if decodedPieces.contains(where: { $0.texts != nil }) {
      let texts = DistinctValues(joinedTexts(cells))
      return (.coded(.natural(texts.count), values: texts), .string)
    }
    switch width {
    case .keyed(let kind):
      let keys = [UInt64](unsafeUninitializedCapacity: rows) { buffer, count in
        _ = buffer.initialize(fromContentsOf: typed(UInt64.self))
        count = rows
      }
      let type: ColumnType =
        switch kind {
        case .integer: .integer
        case .real: .real
        case .date: .date
        }
      return (.keyed(NumericColumn(kind: kind.column, keys: keys)), type)
    case .narrow, .wide:
      let (dictionary, mappings) = joinedDictionary()
      let type = declared ?? tally(dictionary, cells: cells).type
      if let kind = NumericKind(type), dictionary.count > Self.mostCodedNumbers,
        let keys = keys(of: dictionary, as: kind, cells: cells)
      {
        let column = NumericColumn(kind: kind.column, keys: join(mappings) { keys[$0] })
        return (.keyed(column), type)
      }
      return (.coded(codes(mappings, dictionary), values: values(dictionary, type, cells)), type)
    }
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

  /// Every row as a text of its own; what was numbered before the dictionaries were given up too.
  private func joinedTexts(_ cells: CellReader) -> TextHeap {
    let pieces = decodedPieces.sorted { $0.rows.lowerBound < $1.rows.lowerBound }
    return TextHeap(pieces.flatMap { $0.texts ?? texts(of: $0, cells) })
  }

  private func texts(of piece: Piece, _ cells: CellReader) -> [TextBlock] {
    guard let dictionary = workers[piece.worker]?.dictionary else { return [] }
    let writer = TextWriter()
    for row in piece.rows {
      let code =
        if case .narrow = width { Int(typed(UInt16.self)[row]) } else {
          Int(typed(UInt32.self)[row])
        }
      if code == 0 {
        writer.appendNull()
      } else {
        dictionary.withBytes(of: code - 1) { cells.append($0, to: writer) }
      }
    }
    return writer.finish()
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

  /// A key for every code; nil when some cell has none.
  private func keys(
    of dictionary: ByteDictionary, as kind: NumericKind, cells: CellReader
  ) -> [UInt64]? {
    var keys = [NumericColumn.null]
    keys.reserveCapacity(dictionary.count + 1)
    for code in 0..<dictionary.count {
      let key = dictionary.withBytes(of: code) {
        cells.isNull($0) ? NumericColumn.null : kind.key(of: $0)
      }
      guard let key else { return nil }
      keys.append(key)
    }
    return keys
  }

  private func codes(_ mappings: [[UInt32]?], _ dictionary: ByteDictionary) -> RowCodes {
    dictionary.count < 1 << 16
      ? .narrow(join(mappings) { UInt16(truncatingIfNeeded: $0) })
      : .wide(join(mappings) { UInt32(truncatingIfNeeded: $0) })
  }

  // Inlined with its closure: no call a row.
  @inline(__always)
  private func join<Cell>(_ mappings: [[UInt32]?], _ cell: (Int) -> Cell) -> [Cell] {
    if case .narrow = width { return join(typed(UInt16.self), mappings, cell) }
    return join(typed(UInt32.self), mappings, cell)
  }

  // Inlined with its closure: no call a row.
  @inline(__always)
  private func join<Code: FixedWidthInteger & SendableMetatype, Cell>(
    _ codes: UnsafeBufferPointer<Code>, _ mappings: [[UInt32]?], _ cell: (Int) -> Cell
  ) -> [Cell] {
    let pieces = decodedPieces
    return [Cell](unsafeUninitializedCapacity: rows) { buffer, count in
      // Every piece has rows of its own.
      nonisolated(unsafe) let buffer = buffer
      LargePages.advise(buffer)
      nonisolated(unsafe) let cell = cell
      nonisolated(unsafe) let codes = codes
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
      count = rows
    }
  }

  private func typed<Element>(_ type: Element.Type) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: memory.assumingMemoryBound(to: type), count: rows)
  }
}

extension CellReader {
  /// Appends a cell that is not empty, or was quoted.
  fileprivate func append(_ cell: UnsafeRawBufferPointer, to writer: TextWriter) {
    if isNull(cell) { writer.appendNull() } else { writer.append(cell) }
  }
}
