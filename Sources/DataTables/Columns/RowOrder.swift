/// Rows of a table in some order; not necessarily all of its rows.
public enum RowOrder: Sendable {
  /// All rows, in the order of the table.
  case natural(Int)
  /// These rows, in this order.
  case rows([UInt32])
  /// Rows in an order that is computed when it is first needed.
  case deferred(DeferredRows)

  public var count: Int {
    switch self {
    case .natural(let count): count
    case .rows(let rows): rows.count
    case .deferred(let rows): rows.count
    }
  }

  /// The row at a position.
  /// - Precondition: `position` is in `0..<count`.
  public subscript(position: Int) -> Int {
    switch self {
    case .natural: position
    case .rows(let rows): Int(rows[position])
    case .deferred(let rows): Int(rows.list[position])
    }
  }
}

extension RowOrder: Equatable {
  public static func == (left: RowOrder, right: RowOrder) -> Bool {
    switch (left, right) {
    case (.natural(let count), .natural(let other)): count == other
    case (.deferred(let rows), .deferred(let others)) where rows === others: true
    default: left.count == right.count && left.list == right.list
    }
  }
}

extension RowOrder {
  /// The rows at a range of positions.
  /// - Precondition: `positions` is in `0...count`.
  package func rows(at positions: Range<Int>) -> RowOrder {
    if positions == 0..<count { return self }
    return .rows(
      list.map { Array($0[positions]) } ?? positions.map { UInt32(truncatingIfNeeded: $0) })
  }
}

extension RowOrder {
  /// Calls `body` with the row at each of `positions`, and with its index from the first of them.
  // Inlined with its closure: a loop for each form, and no call per row.
  @inline(__always)
  func forEachRow(at positions: Range<Int>, _ body: (_ index: Int, _ row: UInt32) -> Void) {
    let start = positions.lowerBound
    switch self {
    case .natural:
      for index in 0..<positions.count { body(index, UInt32(truncatingIfNeeded: start + index)) }
    case .rows(let rows):
      Self.forEachRow(of: rows, from: start, positions.count, body)
    case .deferred(let rows):
      if let mask = rows.mask {
        mask.forEachRow(at: positions, body)
      } else {
        Self.forEachRow(of: rows.list, from: start, positions.count, body)
      }
    }
  }

  @inline(__always)
  private static func forEachRow(
    of rows: [UInt32], from start: Int, _ count: Int,
    _ body: (_ index: Int, _ row: UInt32) -> Void
  ) {
    rows.withUnsafeBufferPointer { rows in
      for index in 0..<count { body(index, rows[start + index]) }
    }
  }

  /// The positions of some rows, ascending; without those that are not in the order.
  /// - Parameter rows: of a table with all rows of the order.
  /// - Complexity: O(positions), on all processors.
  func positions(of rows: RowMask) -> [Int] {
    if rows.isEmpty { return [] }
    let order = computed
    let found = WorkerSlots<[Int]>(Parallel.parts(of: count))
    Parallel.forEachPart(of: count) { part, positions in
      var matches: [Int] = []
      order.forEachRow(at: positions) { index, row in
        if rows.contains(Int(row)) { matches.append(positions.lowerBound + index) }
      }
      found[part] = matches
    }
    return (0..<Parallel.parts(of: count)).flatMap { found[$0] ?? [] }
  }
}
