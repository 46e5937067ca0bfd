extension Table {
  /// About how many bytes the evaluation of a predicate reads; nil for a predicate that may fail, or
  /// that reads more than decoded columns.
  func cost(of predicate: Predicate) -> Int? {
    switch predicate {
    case .comparison(let comparison):
      guard case .key(let path) = comparison.left, case .value = comparison.right,
        let column = decodedColumn(path)
      else { return nil }
      return column.cost(of: comparison.operator.kind)
    case .boolean: return nil
    case .not(let predicate): return cost(of: predicate)
    case .and(let predicates), .or(let predicates):
      let costs = predicates.map { cost(of: $0) }
      return costs.contains { $0 == nil } ? nil : costs.reduce(0) { $0 + ($1 ?? 0) }
    }
  }
}

extension KeyColumn {
  /// About how many bytes a comparison with a constant reads. The steps of a pattern that take longer
  /// than reading a byte count as bytes.
  fileprivate func cost(of kind: ComparisonOperator.Kind) -> Int {
    let isExpression = kind == .matches || kind == .like
    switch self {
    case .keyed(let column): return column.keys.count * MemoryLayout<UInt64>.size
    case .coded(let codes, let values):
      let reading =
        switch codes {
        case .narrow(let codes): codes.count * MemoryLayout<UInt16>.size
        case .wide(let codes): codes.count * MemoryLayout<UInt32>.size
        case .natural: 0
        }
      switch values.storage {
      case .texts(let texts): return reading + texts.byteCount * (isExpression ? 16 : 1)
      case .values(let values): return reading + values.count * (isExpression ? 4_096 : 1_024)
      }
    }
  }
}
