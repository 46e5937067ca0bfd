/// Distributes rows over buckets by their codes, one bucket after another.
struct RowBuckets {
  let codes: RowCodes
  /// For each code, a number below `count`.
  let buckets: [UInt32]
  let count: Int

  /// The rows of each bucket, in their order, and the number of rows in each.
  /// - Complexity: O(rows + buckets); rows that are in order already are not moved.
  func placed(_ order: RowOrder) -> (order: RowOrder, counts: [Int]) {
    let tallies =
      switch codes {
      case .narrow(let codes): tallies(order) { Int(codes[$0]) }
      case .wide(let codes): tallies(order) { Int(codes[$0]) }
      case .natural: tallies(order) { $0 }
      }
    var all = Tally(count: count)
    for tally in tallies { all.append(tally) }
    return (all.isAscending ? order : sorted(order), all.counts)
  }

  /// The rows of each bucket, in their order.
  func sorted(_ order: RowOrder) -> RowOrder {
    let word = SortWord.packed([.ranks(codes, ranks: buckets, count: count)]).first
    return word.map { .rows($0.sorted(order)) } ?? order
  }

  /// The number of rows in each bucket, and whether the rows are in order already.
  private struct Tally {
    var counts: [Int]
    var isAscending = true
    /// The buckets of the first and the last row.
    var first: UInt32 = 0
    var last: UInt32 = 0

    init(count: Int) { counts = [Int](repeating: 0, count: count) }

    /// Adds the tally of the rows that follow.
    mutating func append(_ next: Tally) {
      for (bucket, count) in next.counts.enumerated() { counts[bucket] += count }
      isAscending = isAscending && next.isAscending && last <= next.first
      last = next.last
    }
  }

  // Inlined with its closure: no call per row.
  @inline(__always)
  private func tallies(_ order: RowOrder, code: (_ row: Int) -> Int) -> [Tally] {
    let found = WorkerSlots<Tally>(Parallel.parts(of: order.count))
    Parallel.forEachPart(of: order.count) { part, positions in
      guard !positions.isEmpty else { return }
      var tally = Tally(count: count)
      tally.first = buckets[code(order[positions.lowerBound])]
      var last = tally.first
      var isAscending = true
      tally.counts.withUnsafeMutableBufferPointer { counts in
        buckets.withUnsafeBufferPointer { buckets in
          order.forEachRow(at: positions) { _, row in
            let bucket = buckets[code(Int(row))]
            counts[Int(bucket)] &+= 1
            isAscending = isAscending && bucket >= last
            last = bucket
          }
        }
      }
      tally.isAscending = isAscending
      tally.last = last
      found[part] = tally
    }
    return (0..<Parallel.parts(of: order.count)).compactMap { found[$0] }
  }
}

extension NumericColumn {
  /// Codes below the count that are equal for equal keys and ascend with them.
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
