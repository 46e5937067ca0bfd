extension ColumnTarget {
  /// Makes keys of the rows that were numbered before the dictionaries were given up; gives all up where
  /// some cell has none.
  func completeKeys(cells: CellReader) {
    guard form == .keys, !didOverflow, let kind else { return }
    let tables = (0..<Parallel.workers).map { number in
      workers[number].map { keys(of: $0.dictionary, as: kind, cells: cells) } ?? []
    }
    let target = keys.keys
    for piece in decodedPieces {
      guard case .codes = piece.content else { continue }
      guard let table = tables[piece.worker] else { return giveUp() }
      for row in piece.rows { target[row] = table[code(of: row)] }
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
