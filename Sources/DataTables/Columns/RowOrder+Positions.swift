extension RowOrder {
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
