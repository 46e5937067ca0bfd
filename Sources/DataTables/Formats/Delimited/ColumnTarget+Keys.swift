extension ColumnTarget {
  /// Puts the keys of all rows in their places, with those of the rows that were numbered before the
  /// dictionaries were given up; gives all up where some cell has none.
  func completeKeys(cells: CellReader) {
    guard !didOverflow, let kind else { return }
    let tables = (0..<Parallel.workers).map { number -> [UInt64]? in
      guard let worker = workers[number] else { return [] }
      return keys(of: worker.dictionary, as: kind, cells: cells)
    }
    guard tables.allSatisfy({ $0 != nil }) else { return giveUp() }
    let pieces = decodedPieces
    let target = keys(rows: pieces.reduce(0) { $0 + $1.count }).keys
    CodeJoin(tables: tables.compactMap(\.self)).write(pieces, to: target)
    for piece in pieces {
      var row = piece.firstRow
      for run in piece.runs {
        let place = target.extracting(row..<row + run.count)
        // Others were written in their places at once.
        if case .keys(let keys) = run, keys.baseAddress != UnsafePointer(place.baseAddress) {
          _ = place.update(fromContentsOf: keys)
        }
        row += run.count
      }
    }
  }

  /// A key for every code, that of an empty cell the first; nil when some cell has none.
  func keys(
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
}
