/// Makes one column of what the workers decoded.
extension ColumnTarget {
  func finish(cells: CellReader) throws -> (column: KeyColumn, type: ColumnType) {
    if form == .texts {
      let texts = DistinctValues(try joinedTexts(cells))
      return (.coded(.natural(texts.count), values: texts), .string)
    }
    let pieces = decodedPieces
    let rows = pieces.reduce(0) { $0 + $1.count }
    if form == .keys, let kind {
      return (
        .keyed(NumericColumn(kind: kind.column, keys: NumericKeys(keys(rows: rows)))), kind.type
      )
    }
    let (dictionary, mappings) = joinedDictionary()
    let type = declared ?? tally(dictionary, cells: cells).type
    if let kind = NumericKind(type), dictionary.count > Self.mostCodedNumbers,
      let keys = keys(of: dictionary, as: kind, cells: cells)
    {
      let memory = NumericKeyMemory(rows: rows)
      CodeJoin(tables: mappings.map { $0.map { keys[Int($0)] } }).write(pieces, to: memory.keys)
      return (.keyed(NumericColumn(kind: kind.column, keys: NumericKeys(memory))), type)
    }
    let codes: RowCodes =
      dictionary.count < 1 << 16
      ? .narrow(
        joined(pieces, rows, mappings.map { $0.map { UInt16(truncatingIfNeeded: $0) } }))
      : .wide(joined(pieces, rows, mappings))
    return (.coded(codes, values: try values(dictionary, type, cells)), type)
  }

  private func joined<Code: BitwiseCopyable & Sendable>(
    _ pieces: [ColumnPiece], _ rows: Int, _ tables: [[Code]]
  ) -> [Code] {
    [Code](unsafeUninitializedCapacity: rows) { buffer, count in
      LargePages.advise(buffer)
      CodeJoin(tables: tables).write(pieces, to: buffer)
      count = rows
    }
  }

  /// The first worker's dictionary with what the others found, and for every worker the joined code
  /// of each of its codes (those of rows: 0 is the empty cell).
  private func joinedDictionary() -> (ByteDictionary, [[UInt32]]) {
    let all = (0..<Parallel.workers).map { workers[$0]?.dictionary }
    let joined = all.lazy.compactMap { $0 }.first ?? ByteDictionary()
    let mappings = all.map { dictionary -> [UInt32] in
      guard let dictionary else { return [] }
      if dictionary === joined { return (0...UInt32(dictionary.count)).map { $0 } }
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
  ) throws -> DistinctValues {
    let codes = 0..<dictionary.count
    if type == .string, dictionary.count > Self.mostCodedStrings {
      let writer = TextWriter()
      writer.appendNull()
      for code in codes { dictionary.withBytes(of: code) { cells.append($0, to: writer) } }
      return DistinctValues(TextHeap(try writer.finish()))
    }
    return DistinctValues(
      [.null]
        + codes.map { code in dictionary.withBytes(of: code) { cells.value(of: $0, as: type) } })
  }
}
