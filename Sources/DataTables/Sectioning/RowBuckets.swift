/// One bucket a row, by its code; rows are placed bucket after bucket.
struct RowBuckets {
  let codes: RowCodes
  /// For every code a number below `count`.
  let buckets: [UInt32]
  let count: Int

  /// The rows of every bucket, in their order, and how many each has.
  /// - Complexity: O(rows + buckets); rows that stand right already are not moved.
  func placed(_ order: RowOrder) -> (order: RowOrder, counts: [Int]) {
    let tally =
      switch codes {
      case .narrow(let codes): tally(order) { Int(codes[$0]) }
      case .wide(let codes): tally(order) { Int(codes[$0]) }
      case .natural: tally(order) { $0 }
      }
    if tally.isAscending { return (order, tally.counts) }
    let word = SortWord.packed([.ranks(codes, ranks: buckets, count: count)]).first
    return (word.map { .rows($0.sorted(order)) } ?? order, tally.counts)
  }

  @inline(__always)
  private func tally(
    _ order: RowOrder, code: (_ row: Int) -> Int
  ) -> (counts: [Int], isAscending: Bool) {
    var counts = [Int](repeating: 0, count: count)
    var isAscending = true
    counts.withUnsafeMutableBufferPointer { counts in
      buckets.withUnsafeBufferPointer { buckets in
        var last: UInt32 = 0
        order.forEachRow(at: 0..<order.count) { _, row in
          let bucket = buckets[code(Int(row))]
          counts[Int(bucket)] &+= 1
          if bucket < last { isAscending = false }
          last = bucket
        }
      }
    }
    return (counts, isAscending)
  }
}

extension NumericColumn {
  /// Codes that are the same for equal keys and ascend with them, below the count.
  /// - Complexity: O(rows).
  func ranked() -> (codes: RowCodes, count: Int) {
    var entries = keys.enumerated().map {
      KeyedIndex(key: $1, index: UInt32(truncatingIfNeeded: $0))
    }
    KeyedIndex.sort(&entries)
    var codes = [UInt32](repeating: 0, count: keys.count)
    var code: UInt32 = 0
    for (place, entry) in entries.enumerated() {
      if place > 0, entry.key != entries[place - 1].key { code += 1 }
      codes[Int(entry.index)] = code
    }
    return (.wide(codes), entries.isEmpty ? 0 : Int(code) + 1)
  }
}
