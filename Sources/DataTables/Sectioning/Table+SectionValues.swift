extension Table {
  /// The result of a collection operator for the objects of each section.
  ///
  /// - Parameter steps: the steps after the operator; without steps, the operator applies to the
  ///   objects themselves.
  /// - Complexity: O(rows); reads one column, or all objects without steps. For a column of mostly
  ///   different numbers or dates, the objects with a minimum or maximum are also read, and a union
  ///   reads all objects.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if there are objects and none has the key;
  ///   the errors of reading the table.
  public func values(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], in order: RowOrder,
    sections: Sections, cancellation: Cancellation = Cancellation()
  ) throws -> [Value] {
    let ranges = (0..<sections.count).map { sections.positions(in: $0) }
    if kind == .count { return ranges.map { .integer($0.count) } }
    guard !steps.isEmpty else {
      return try ranges.map { range in
        try cancellation.check()
        return kind.evaluate([], on: try objects(at: range.map { order[$0] }))
      }
    }
    let path = ObjectKeyPath(steps)
    switch try column(path, cancellation: cancellation) {
    case .coded(let codes, let values):
      return try ranges.map { range in
        try cancellation.check()
        var result = CollectionOperator.Accumulator(kind)
        order.forEachRow(at: range) { _, row in result.add(values[codes[Int(row)]]) }
        return result.value
      }
    case .keyed(let column):
      let sections = KeyedSections(
        table: self, path: path, column: column, order: order, cancellation: cancellation)
      return try sections.values(of: kind, ranges)
    }
  }
}

/// Computes the values of sections from a numeric column.
private struct KeyedSections {
  let table: any Table
  let path: ObjectKeyPath
  let column: NumericColumn
  let order: RowOrder
  let cancellation: Cancellation

  func values(of kind: CollectionOperator, _ ranges: [Range<Int>]) throws -> [Value] {
    switch kind {
    case .minimum: try extremes(ranges) { $0 < $1 }
    case .maximum: try extremes(ranges) { $0 > $1 }
    case .sum, .average: try ranges.map { try sum(kind, $0) }
    default:
      try ranges.map { range in
        var result = CollectionOperator.Accumulator(kind)
        for value in try values(at: range.map { order[$0] }) { result.add(value) }
        return result.value
      }
    }
  }

  private func sum(_ kind: CollectionOperator, _ range: Range<Int>) throws -> Value {
    try cancellation.check()
    var result = CollectionOperator.Accumulator(kind)
    order.forEachRow(at: range) { _, row in
      let key = column.keys[Int(row)]
      switch column.kind {
      case _ where key == NumericColumn.null: result.addMissing()
      case .integer: result.add(.integer(NumericColumn.integer(key)))
      case .real: result.add(NumericColumn.double(key))
      case .date: result.add(column.value(of: key))
      }
    }
    return result.value
  }

  /// The least or the greatest value of each section, the first one among equal values; null for a
  /// section without values.
  private func extremes(
    _ ranges: [Range<Int>], isBetter: (UInt64, UInt64) -> Bool
  ) throws -> [Value] {
    var rows: [Int] = []
    var isFound: [Bool] = []
    for range in ranges {
      try cancellation.check()
      var best: (key: UInt64, row: Int)?
      order.forEachRow(at: range) { _, row in
        let key = column.keys[Int(row)]
        guard key != NumericColumn.null else { return }
        if best.map({ isBetter(key, $0.key) }) ?? true { best = (key, Int(row)) }
      }
      if let best { rows.append(best.row) }
      isFound.append(best != nil)
    }
    var values = try values(at: rows)[...]
    return isFound.map { $0 ? values.popFirst() ?? .null : .null }
  }

  private func values(at rows: [Int]) throws -> [Value] {
    try table.values(of: path, column: column, at: rows, cancellation: cancellation)
  }
}
