// Joins the chunks that the workers decoded into one column.
extension ColumnTarget {
  /// Converts all rows to one form; gives up if that is impossible.
  func complete(cells: CellReader) {
    switch form {
    case .codes: break
    case .texts: if decodedChunks.reduce(0, { $0 + $1.count }) > Self.maxTexts { giveUp() }
    case .keys: completeKeys(cells: cells)
    }
  }

  /// The column of all rows, and the form that fits them. Requires ``complete(cells:)``.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  func finish(cells: CellReader) throws -> (column: KeyColumn, form: CellForm) {
    if form == .texts {
      let texts = DistinctValues(try joinedTexts(cells))
      return (.coded(.natural(texts.count), values: texts), CellForm(.string))
    }
    let chunks = decodedChunks
    let rows = chunks.reduce(0) { $0 + $1.count }
    if form == .keys, let kind {
      return (
        .keyed(NumericColumn(kind: kind, keys: NumericKeys(keys(rows: rows)))), cellForm
      )
    }
    let (dictionary, mappings) = joinedDictionary()
    let form =
      isDeclared
      ? cellForm : tally(dictionary, cells: cells, untilString: true).form(cells.order)
    if let kind = form.kind, dictionary.count > Self.maxCodedNumbers,
      let keys = keys(of: dictionary, form, as: kind, cells: cells)
    {
      let memory = NumericKeyMemory(rows: rows)
      CodeTables(mappings.map { $0.map { keys[Int($0)] } }).decode(chunks, into: memory.keys)
      return (.keyed(NumericColumn(kind: kind, keys: NumericKeys(memory))), form)
    }
    let codes: RowCodes =
      dictionary.count < 1 << 16
      ? .narrow(
        joined(chunks, rows, mappings.map { $0.map { UInt16(truncatingIfNeeded: $0) } }))
      : .wide(joined(chunks, rows, mappings))
    return (.coded(codes, values: try values(dictionary, form, cells)), form)
  }

  private func joined<Code: BitwiseCopyable & Sendable>(
    _ chunks: [ColumnChunk], _ rows: Int, _ tables: [[Code]]
  ) -> [Code] {
    [Code](unsafeUninitializedCapacity: rows) { buffer, count in
      LargePages.advise(buffer)
      CodeTables(tables).decode(chunks, into: buffer)
      count = rows
    }
  }

  /// The first worker's dictionary, extended by the entries of the other dictionaries. Also, for
  /// every worker, a table from its row codes to joined row codes; row code 0 is the empty cell.
  private func joinedDictionary() -> (ByteDictionary, [[UInt32]]) {
    let all = (0..<Parallel.workers).map { workers[$0]?.dictionary }
    let joined = all.lazy.compactMap { $0 }.first ?? ByteDictionary()
    let mappings = all.map { dictionary -> [UInt32] in
      guard let dictionary else { return [] }
      if dictionary === joined { return (0...UInt32(dictionary.count)).map { $0 } }
      return joined.numbers(of: dictionary)
    }
    return (joined, mappings)
  }

  /// The types of the values of a dictionary.
  /// - Parameter untilString: whether to stop at the first value that fits only strings, which
  ///   decides the form.
  func tally(
    _ dictionary: ByteDictionary, cells: CellReader, untilString: Bool = false
  ) -> TypeTally {
    var tally = TypeTally(cells.style)
    for code in 0..<dictionary.count {
      dictionary.withBytes(of: code) { if !cells.isNull($0) { tally.add($0) } }
      if untilString, tally.others > 0 { break }
    }
    return tally
  }

  private func values(
    _ dictionary: ByteDictionary, _ form: CellForm, _ cells: CellReader
  ) throws -> DistinctValues {
    let codes = 0..<dictionary.count
    if form.type == .string, dictionary.count > Self.maxCodedStrings {
      let writer = TextWriter()
      writer.appendNull()
      for code in codes { dictionary.withBytes(of: code) { cells.append($0, to: writer) } }
      return DistinctValues(TextHeap(try writer.finish(), areDifferent: true))
    }
    return DistinctValues(
      [.null]
        + codes.map { code in dictionary.withBytes(of: code) { cells.value(of: $0, as: form) } })
  }

  /// Writes the keys of all rows to their final positions, including rows that were encoded before
  /// the dictionaries were abandoned; gives up if a cell has no key.
  private func completeKeys(cells: CellReader) {
    guard !didOverflow, let kind else { return }
    let tables = (0..<Parallel.workers).map { number -> [UInt64]? in
      guard let worker = workers[number] else { return [] }
      return keys(of: worker.dictionary, cellForm, as: kind, cells: cells)
    }
    guard tables.allSatisfy({ $0 != nil }) else { return giveUp() }
    let chunks = decodedChunks
    let target = keys(rows: chunks.reduce(0) { $0 + $1.count }).keys
    CodeTables(tables.compactMap(\.self)).decode(chunks, into: target)
    for chunk in chunks {
      var row = chunk.firstRow
      for run in chunk.runs {
        let place = target.extracting(row..<row + run.count)
        // Keys of rows with known numbers are already at their final position.
        if case .keys(let keys) = run, keys.baseAddress != UnsafePointer(place.baseAddress) {
          _ = place.update(fromContentsOf: keys)
        }
        row += run.count
      }
    }
  }

  /// The key of every row code, starting with the key of an empty cell; nil if a cell has no key.
  func keys(
    of dictionary: ByteDictionary, _ form: CellForm, as kind: NumericColumn.Kind, cells: CellReader
  ) -> [UInt64]? {
    var keys = [NumericColumn.null]
    keys.reserveCapacity(dictionary.count + 1)
    for code in 0..<dictionary.count {
      let key = dictionary.withBytes(of: code) {
        cells.isNull($0) ? NumericColumn.null : form.key(of: $0, kind)
      }
      guard let key else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// A separate text for every row, including rows that were encoded before the dictionaries were
  /// abandoned.
  private func joinedTexts(_ cells: CellReader) throws -> TextHeap {
    TextHeap(
      try decodedChunks.flatMap { chunk in
        guard let dictionary = workers[chunk.worker]?.dictionary else { return [TextBlock]() }
        let decoded = TextWriter()
        var texts: [TextBlock] = []
        for run in chunk.runs {
          switch run {
          case .narrow(let codes): decoded.append(codes, of: dictionary, cells)
          case .wide(let codes): decoded.append(codes, of: dictionary, cells)
          case .texts(let blocks): texts += blocks
          case .keys: break
          }
        }
        return try decoded.finish() + texts
      })
  }
}

extension TextWriter {
  /// Appends the texts of row codes, which are dictionary codes plus one; 0 is an empty cell.
  fileprivate func append<Code: FixedWidthInteger>(
    _ codes: UnsafeBufferPointer<Code>, of dictionary: ByteDictionary, _ cells: CellReader
  ) {
    for code in codes {
      if code == 0 {
        appendNull()
      } else {
        dictionary.withBytes(of: Int(code) - 1) { cells.append($0, to: self) }
      }
    }
  }
}

/// For every worker, a table from its row codes to results; the first result is for an empty cell.
private struct CodeTables<Result: BitwiseCopyable & Sendable>: Sendable {
  private let tables: [[Result]]

  init(_ tables: [[Result]]) { self.tables = tables }

  /// Writes the results of all rows that are stored as codes to their final positions.
  func decode(_ chunks: [ColumnChunk], into rows: UnsafeMutableBufferPointer<Result>) {
    // Chunks write to disjoint rows.
    nonisolated(unsafe) let rows = rows
    Parallel.forEach(chunks.count) { number, _ in
      let chunk = chunks[number]
      var row = chunk.firstRow
      for run in chunk.runs {
        let place = rows.extracting(row..<row + run.count)
        switch run {
        case .narrow(let codes): decode(codes, of: chunk.worker, into: place)
        case .wide(let codes): decode(codes, of: chunk.worker, into: place)
        case .texts, .keys: break
        }
        row += run.count
      }
    }
  }

  private func decode<Code: FixedWidthInteger>(
    _ codes: UnsafeBufferPointer<Code>, of worker: Int,
    into rows: UnsafeMutableBufferPointer<Result>
  ) {
    tables[worker].withUnsafeBufferPointer { table in
      for index in codes.indices {
        rows.initializeElement(at: index, to: table[Int(truncatingIfNeeded: codes[index])])
      }
    }
  }
}
