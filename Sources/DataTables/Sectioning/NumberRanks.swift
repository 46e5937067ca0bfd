/// The ranks of distinct numbers. Equal numbers have the same rank.
struct NumberRanks {
  /// For each code, the rank of its number; ``missing`` for null, ``other`` for other values.
  private var ranks: [UInt64]
  private static let missing = UInt64.max
  private static let other = UInt64.max - 1

  /// - Complexity: O(values log values).
  init(_ values: DistinctValues) {
    ranks = values.map { $0.isNull ? Self.missing : Self.other }
    if values.areStrings { return }
    let numbers = values.indices.filter { values[$0].type == .number }
    var rank: UInt64 = 0
    var last: Value?
    for code in numbers.sorted(by: { values[$0].ordered(before: values[$1]) }) {
      if let last, last != values[code] { rank += 1 }
      last = values[code]
      ranks[code] = rank
    }
  }

  func median(
    of codes: RowCodes, in order: RowOrder, _ range: Range<Int>, _ values: DistinctValues,
    _ findings: inout OperatorFindings
  ) -> Value {
    var keys: [UInt64] = []
    var hasOthers = false
    order.forEachRow(at: range) { _, row in
      let code = codes[Int(row)]
      let rank = ranks[code]
      if rank < Self.other {
        keys.append(rank)
        findings.addNumber()
        return
      }
      findings.add(values[code])
      hasOthers = hasOthers || rank == Self.other
    }
    guard !hasOthers, let middle = MiddleKeys(of: keys) else { return .null }
    func first(_ rank: UInt64) -> Value {
      let position = range.first { ranks[codes[order[$0]]] == rank }
      return position.map { values[codes[order[$0]]] } ?? .null
    }
    guard middle.low != middle.high else { return first(middle.low) }
    let mean = Value.mean(of: first(middle.low), first(middle.high))
    if mean.isNull { findings.isTooLarge = true }
    return mean
  }
}
