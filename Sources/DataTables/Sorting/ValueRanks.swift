/// The places of distinct values in their order; values that compare the same share one.
struct ValueRanks {
  /// What nulls have for a rank.
  static let null = UInt32.max

  /// One rank a value: 0..<count, or ``null``.
  let ranks: [UInt32]
  let count: Int

  /// - Complexity: O(n log n) comparisons for values that do not differ in their first bytes, O(n)
  ///   steps for those that do.
  init(
    _ values: [Value], by comparison: SortDescriptor.Comparison, cancellation: Cancellation
  ) throws {
    let comparer = ValueComparer(values, comparison)
    var entries = comparer.entries()
    try cancellation.check()
    KeyedIndex.sort(&entries)
    var ranks = [UInt32](repeating: Self.null, count: values.count)
    var rank: UInt32 = 0
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].key == entries[start].key { end += 1 }
      var comparisons = 0
      // Equal prefixes: only the values themselves can tell.
      if end - start > 1 {
        try entries[start..<end].sort { left, right in
          comparisons &+= 1
          if comparisons & 0xFFF == 0 { try cancellation.check() }
          return comparer.compare(left.index, right.index) == .before
        }
      }
      for position in start..<end {
        if position > start,
          comparer.compare(entries[position - 1].index, entries[position].index) != .same
        {
          rank += 1
        }
        ranks[Int(entries[position].index)] = rank
      }
      rank += 1
      start = end
    }
    self.ranks = ranks
    count = Int(rank)
  }
}
