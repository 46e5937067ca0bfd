/// Rows of a table in some order; not necessarily all of its rows.
public enum RowOrder: Sendable, Equatable {
  /// All rows, in the order of the table.
  case natural(Int)
  /// These rows, in this order.
  case rows([UInt32])

  public var count: Int {
    switch self {
    case .natural(let count): count
    case .rows(let rows): rows.count
    }
  }

  /// The row at a position.
  /// - Precondition: `position` is in `0..<count`.
  public subscript(position: Int) -> Int {
    switch self {
    case .natural: position
    case .rows(let rows): Int(rows[position])
    }
  }
}

extension RowOrder {
  /// The rows at a range of positions.
  /// - Precondition: `positions` is in `0...count`.
  package func rows(at positions: Range<Int>) -> RowOrder {
    if positions == 0..<count { return self }
    return switch self {
    case .natural: .rows(positions.map { UInt32(truncatingIfNeeded: $0) })
    case .rows(let rows): .rows(Array(rows[positions]))
    }
  }
}

extension RowOrder {
  /// Calls `body` with the row at each of `positions`, and with its index from the first of them.
  // Inlined with its closure: one loop per case, and no call per row.
  @inline(__always)
  func forEachRow(at positions: Range<Int>, _ body: (_ index: Int, _ row: UInt32) -> Void) {
    let start = positions.lowerBound
    switch self {
    case .natural:
      for index in 0..<positions.count { body(index, UInt32(truncatingIfNeeded: start + index)) }
    case .rows(let rows):
      rows.withUnsafeBufferPointer { rows in
        for index in 0..<positions.count { body(index, rows[start + index]) }
      }
    }
  }

  /// The positions of some rows, ascending; without those that are not in the order.
  /// - Parameter rows: of a table with all rows of the order.
  /// - Complexity: O(positions), on all processors.
  func positions(of rows: RowMask) -> [Int] {
    if rows.isEmpty { return [] }
    let found = WorkerSlots<[Int]>(Parallel.parts(of: count))
    Parallel.forEachPart(of: count) { part, positions in
      var matches: [Int] = []
      forEachRow(at: positions) { index, row in
        if rows.contains(Int(row)) { matches.append(positions.lowerBound + index) }
      }
      found[part] = matches
    }
    return (0..<Parallel.parts(of: count)).flatMap { found[$0] ?? [] }
  }
}
