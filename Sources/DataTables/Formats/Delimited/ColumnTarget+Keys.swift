extension ColumnTarget {
  /// Puts the keys of all rows in their places, with those of the rows that were numbered before the
  /// dictionaries were given up; gives all up where some cell has none.
  func completeKeys(cells: CellReader) {
    guard !didOverflow, let kind else { return }
    let tables = (0..<Parallel.workers).map { number in
      workers[number].map { keys(of: $0.dictionary, as: kind, cells: cells) } ?? []
    }
    let pieces = decodedPieces
    let target = keys(rows: pieces.reduce(0) { $0 + $1.count }).keys
    for piece in pieces {
      guard let table = tables[piece.worker] else { return giveUp() }
      var row = piece.firstRow
      for run in piece.runs {
        let place = target.extracting(row..<row + run.count)
        switch run {
        case .narrow(let codes): _ = place.update(fromContentsOf: codes.lazy.map { table[Int($0)] })
        case .wide(let codes): _ = place.update(fromContentsOf: codes.lazy.map { table[Int($0)] })
        case .keys(let keys) where keys.baseAddress != UnsafePointer(place.baseAddress):
          _ = place.update(fromContentsOf: keys)
        case .keys, .texts: break
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
