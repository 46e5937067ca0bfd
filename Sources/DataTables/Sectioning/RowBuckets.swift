/// Sorts rows stably into buckets by their codes.
struct RowBuckets: Sendable {
  let codes: RowCodes
  /// The bucket of each code, a number below `count`.
  let buckets: [UInt32]
  let count: Int

  /// The rows sorted by bucket, and the number of rows in each bucket.
  /// - Complexity: O(rows + buckets); rows that are already in order are not moved.
  func placed(_ order: RowOrder) -> (order: RowOrder, counts: [Int]) {
    let known = order.knownRows
    let tally = tally(known ?? order)
    if known == nil, tally.isAscending { return (order, tally.counts) }
    return (placed(order, counts: tally.counts), tally.counts)
  }

  /// The rows sorted by bucket.
  /// - Parameter counts: the number of rows in each bucket.
  func placed(_ order: RowOrder, counts: [Int]) -> RowOrder {
    let placement = RowPlacement(buckets: self, counts: counts, order: order)
    return order.count <= DeferredRows.maxCount
      ? .deferred(DeferredRows(placement)) : .rows(placement.listed())
  }

  /// The number of rows in each bucket, and whether the rows are already in order.
  private struct Tally {
    var counts: [Int]
    var isAscending = true
    /// The buckets of the first and the last row.
    var first = 0
    var last = 0

    init(count: Int) { counts = [Int](repeating: 0, count: count) }

    /// Adds the tally of the rows that follow.
    mutating func append(_ next: Tally) {
      for (bucket, count) in next.counts.enumerated() { counts[bucket] += count }
      isAscending = isAscending && next.isAscending && last <= next.first
      last = next.last
    }
  }

  private func tally(_ order: RowOrder) -> Tally {
    codes.numbering(buckets, TallyTaking(order: order, count: count))
  }

  private struct TallyTaking: RowNumberingUse {
    let order: RowOrder
    let count: Int

    func callAsFunction(_ buckets: some RowNumbering) -> Tally {
      let found = WorkerSlots<Tally>(Parallel.parts(of: order.count))
      Parallel.forEachPart(of: order.count) { part, positions in
        found[part] = tally(positions, buckets)
      }
      var all = Tally(count: count)
      for part in 0..<Parallel.parts(of: order.count) {
        if let tally = found[part] { all.append(tally) }
      }
      return all
    }

    private func tally(_ positions: Range<Int>, _ buckets: some RowNumbering) -> Tally? {
      if positions.isEmpty { return nil }
      var tally = Tally(count: count)
      var first: Int?
      var last = 0
      var isAscending = true
      tally.counts.withUnsafeMutableBufferPointer { counts in
        order.forEachRow(at: positions) { index, row in
          let bucket = buckets.number(of: Int(row))
          if index == 0 { first = bucket }
          counts[bucket] &+= 1
          isAscending = isAscending && bucket >= last
          last = bucket
        }
      }
      tally.first = first ?? 0
      tally.isAscending = isAscending
      tally.last = last
      return tally
    }
  }

  /// Whether the rows are already sorted by bucket.
  /// - Complexity: O(rows up to the first one that is not).
  func isSorted(_ rows: [UInt32]) -> Bool {
    var last: UInt32 = 0
    for row in rows {
      let bucket = buckets[codes[Int(row)]]
      if bucket < last { return false }
      last = bucket
    }
    return true
  }
}

/// Rows to be sorted into buckets.
struct RowPlacement: RowRule {
  let buckets: RowBuckets
  /// The number of rows in each bucket.
  let counts: [Int]
  let order: RowOrder

  /// The rows, sorted by bucket.
  /// - Complexity: O(rows + buckets), plus the time to determine their order.
  func listed() -> [UInt32] {
    let isSort = order.knownRows != nil
    let order = order.computedOnce
    // A sort by dates also sorts them by month. Rows in a known order were tested when they were
    // counted.
    if isSort, let rows = order.list, buckets.isSorted(rows) { return rows }
    let word = SortWord.packed([
      .ranks(buckets.codes, ranks: buckets.buckets, count: buckets.count)
    ]).first
    return word?.sorted(order) ?? order.listed()
  }

  /// Whether the rows of each bucket are in the order of the table.
  var keepsTableOrder: Bool { order.ascendingBound != nil }

  /// The section of each bucket, if each bucket with rows is a section; nil if the sections divide
  /// the rows in another way.
  /// - Parameter sizes: the number of rows in each section.
  func sections(_ sizes: [Int]) -> [Int?]? {
    var sections: [Int?] = []
    var next = 0
    for count in counts {
      guard count > 0 else {
        sections.append(nil)
        continue
      }
      while next < sizes.count, sizes[next] == 0 { next += 1 }
      guard next < sizes.count, sizes[next] == count else { return nil }
      sections.append(next)
      next += 1
    }
    return sections
  }
}

extension RowOrder {
  /// The buckets into which the rows are sorted; nil for rows in another order.
  var placement: RowPlacement? {
    if case .deferred(let rows) = self { rows.rule as? RowPlacement } else { nil }
  }
}
