/// Computes the values of sections from a numeric column.
struct KeyedSections {
  let table: any Table
  let path: ObjectKeyPath
  let column: NumericColumn
  let order: RowOrder
  let sections: Sections
  let cancellation: Cancellation

  private var ranges: [Range<Int>] { (0..<sections.count).map { sections.positions(in: $0) } }

  func aggregates(of kind: CollectionOperator) throws -> SectionAggregates {
    switch kind {
    case .minimum: try extremes(isMaximum: false)
    case .maximum: try extremes(isMaximum: true)
    case .first: try ends { $0.first(where: $1) }
    case .last: try ends { $0.last(where: $1) }
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

  /// The least or the greatest value of each section, the first one among equal values; null for a
  /// section without values.
  private func extremes(isMaximum: Bool) throws -> SectionAggregates {
    guard let numbers = RowSections(sections, of: order, rows: column.keys.count) else {
      return try chosen(isMaximum: isMaximum)
    }
    let extremes = SectionExtremes(of: column.keys, in: numbers, isMaximum: isMaximum).extremes
    try cancellation.check()
    let rows = zip(ranges, extremes).map { range, extreme -> Int? in
      guard let extreme else { return nil }
      // Equal values can be written differently.
      guard extreme.repeats, column.kind != .integer, !numbers.keepsTableOrder
      else { return extreme.row }
      return range.first { column.keys[order[$0]] == extreme.key }.map { order[$0] }
    }
    return try values(at: rows)
  }

  /// The same, for each section in its order.
  private func chosen(isMaximum: Bool) throws -> SectionAggregates {
    let folding = KeyFolding(isDescending: isMaximum, nullsFirst: false)
    var rows: [Int?] = []
    for range in ranges {
      try cancellation.check()
      var (best, bestRow) = (NumericColumn.null, -1)
      order.forEachRow(at: range) { _, row in
        let key = folding(column.keys[Int(row)])
        if key < best { (best, bestRow) = (key, Int(row)) }
      }
      rows.append(bestRow < 0 ? nil : bestRow)
    }
    return try values(at: rows)
  }

  /// The first or the last value of each section; null for a section without values.
  private func ends(
    _ end: (_ positions: Range<Int>, _ isValue: (Int) -> Bool) -> Int?
  ) throws -> SectionAggregates {
    let rows = try ranges.map { range in
      try cancellation.check()
      return end(range) { column.keys[order[$0]] != NumericColumn.null }.map { order[$0] }
    }
    return try values(at: rows)
  }

  /// The values of one row of each section; null for nil.
  private func values(at rows: [Int?]) throws -> SectionAggregates {
    var values = try values(at: rows.compactMap(\.self))[...]
    return SectionAggregates(values: rows.map { $0 == nil ? .null : values.popFirst() ?? .null })
  }

  private func values(at rows: [Int]) throws -> [Value] {
    try table.values(of: path, column: column, at: rows, cancellation: cancellation)
  }
}
