extension KeyColumn {
  /// The types of the values in some rows, null apart, in the order in which they sort.
  ///
  /// - Complexity: O(distinct values) when they are all of one type, O(rows) otherwise.
  package func types(in order: RowOrder) -> [ValueType] {
    guard case .coded(let codes, let values) = self else {
      if case .keyed(let column) = self, column.kind == .date { return [.date] }
      return [.number]
    }
    if values.areStrings { return [.string] }
    let all = values.map(\.type)
    let known = Set(all).subtracting([.null]).sorted()
    guard known.count > 1 else { return known }
    // A value may stand among the distinct ones that none of the rows has.
    var isMet = [Bool](repeating: false, count: ValueType.allCases.count)
    for position in 0..<order.count { isMet[all[codes[order[position]]].rawValue] = true }
    return known.filter { isMet[$0.rawValue] }
  }
}
