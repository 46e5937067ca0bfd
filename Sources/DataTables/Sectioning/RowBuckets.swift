/// Sorts rows stably into buckets by their codes.
struct RowBuckets {
  let codes: RowCodes
  /// The bucket of each code, a number below `count`.
  let buckets: [UInt32]
  let count: Int

  /// The rows sorted by bucket, and the number of rows in each bucket.
  /// - Complexity: O(rows + buckets); rows that are already in order are not moved.
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

  /// The rows sorted by bucket.
  func sorted(_ order: RowOrder) -> RowOrder {
    let word = SortWord.packed([.ranks(codes, ranks: buckets, count: count)]).first
    return word.map { .rows($0.sorted(order)) } ?? order
  }

  /// The number of rows in each bucket, and whether the rows are already in order.
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
