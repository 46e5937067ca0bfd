/// Computes the values of sections from a numeric column.
struct KeyedSections {
  let table: any Table
  let path: ObjectKeyPath
  let column: NumericColumn
  let order: RowOrder
  let cancellation: Cancellation

  func aggregates(
    of kind: CollectionOperator, _ ranges: [Range<Int>]
  ) throws -> SectionAggregates {
    switch kind {
    case .minimum: try chosen(ranges) { $0 < $1 }
    case .maximum: try chosen(ranges) { $0 > $1 }
    case .first: try chosen(ranges) { _, _ in false }
    case .last: try chosen(ranges) { _, _ in true }
    case .median where column.kind != .date:
      try SectionAggregates(ranges) { try median($0, &$1) }
    case .sum, .average, .mean, .median, .standardDeviation:
      try SectionAggregates(ranges) { try number(kind, $0, &$1) }
    default:
      try SectionAggregates(ranges) { range, _ in
        var result = CollectionOperator.Accumulator(kind)
        for value in try values(at: range.map { order[$0] }) { result.add(value) }
        return result.value
      }
    }
  }

  private func number(
    _ kind: CollectionOperator, _ range: Range<Int>, _ findings: inout OperatorFindings
  ) throws -> Value {
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
    findings.merge(result.findings)
    return result.value
  }

  private func median(_ range: Range<Int>, _ findings: inout OperatorFindings) throws -> Value {
    try cancellation.check()
    var keys: [UInt64] = []
    order.forEachRow(at: range) { _, row in
      let key = column.keys[Int(row)]
      guard key != NumericColumn.null else { return findings.add(.null) }
      keys.append(key)
      findings.addNumber()
    }
    guard let middle = MiddleKeys(of: keys) else { return .null }
    let wanted = middle.low == middle.high ? [middle.low] : [middle.low, middle.high]
    let rows = wanted.compactMap { key in
      range.first { column.keys[order[$0]] == key }.map { order[$0] }
    }
    let values = try values(at: rows)
    guard let low = values.first, let high = values.last else { return .null }
    return values.count == 1 ? low : .mean(of: low, high)
  }

  /// The best value of each section, the first one among equally good ones; null for a section
  /// without values.
  private func chosen(
    _ ranges: [Range<Int>], isBetter: (UInt64, UInt64) -> Bool
  ) throws -> SectionAggregates {
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
    return SectionAggregates(values: isFound.map { $0 ? values.popFirst() ?? .null : .null })
  }

  private func values(at rows: [Int]) throws -> [Value] {
    try table.values(of: path, column: column, at: rows, cancellation: cancellation)
  }
}
