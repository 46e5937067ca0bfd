/// Consecutive levels of a sort, packed into one number per row.
struct SortWord {
  private(set) var levels: [SortLevel] = []
  /// Greater than the number of every row; nil if a number can be any 64-bit value.
  private var bound: UInt64?

  /// Packs the levels into as few words as possible, the most significant first.
  static func packed(_ levels: [SortLevel]) -> [SortWord] {
    var words: [SortWord] = []
    for level in levels {
      // A level with a single number orders nothing.
      if let bound = level.bound, bound <= 1 { continue }
      if !words.isEmpty, words[words.count - 1].append(level) { continue }
      words.append(SortWord(levels: [level], bound: level.bound))
    }
    return words
  }

  /// Appends a level unless the numbers would then exceed 64 bits.
  /// - Returns: whether the level was appended.
  private mutating func append(_ level: SortLevel) -> Bool {
    guard let bound, let count = level.bound else { return false }
    let (product, overflow) = bound.multipliedReportingOverflow(by: count)
    if overflow { return false }
    levels.append(level)
    self.bound = product
    return true
  }

  /// `order`, sorted stably by the word.
  func sorted(_ order: RowOrder) -> [UInt32] { sortedWithStarts(order).rows }

  /// `order`, sorted stably by the word, and the positions where the rank of the first level
  /// changes. The positions are nil if finding them would need another pass over all rows.
  func sortedWithStarts(_ order: RowOrder) -> (rows: [UInt32], starts: [Int]?) {
    if let bound, bound <= 1 << 22, bound <= UInt64(max(order.count, 1_024)) * 2 {
      let buckets = Int(bound)
      if let split = SplitCounting(buckets: buckets, count: order.count) {
        return splitSorted(order, by: split)
      }
      return countingSorted(order, buckets: buckets)
    }
    return packedSorted(order) ?? (radixSorted(order), nil)
  }

  /// Sorts entries that consist of a number and its row, without reading the keys again; nil if these
  /// do not fit 64 bits.
  private func packedSorted(_ order: RowOrder) -> (rows: [UInt32], starts: [Int]?)? {
    guard let bound, let layout = RowEntries(order, bound: bound) else { return nil }
    return layout.sorted(step: UInt64(bucketsPerRank)) { entries in
      Parallel.forEachPart(of: order.count) { _, range in
        forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt64>) in
          layout.write(numbers, at: positions, to: entries)
        }
      }
    }
  }

  private func radixSorted(_ order: RowOrder) -> [UInt32] {
    let keys = LargePages.allocate(UInt64.self, capacity: order.count)
    defer { keys.deallocate() }
    Parallel.forEachPart(of: order.count) { _, range in
      forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt64>) in
        for (index, position) in positions.enumerated() { keys[position] = numbers[index] }
      }
    }
    return RadixSort.order(of: UnsafeBufferPointer(keys), from: order)
  }

  /// Calls `body` with the numbers of up to 4,096 rows at a time. Computing them twice costs less
  /// than writing all of them to memory and reading them again.
  @inline(__always)
  func forEachBlock<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>,
    _ body: (_ positions: Range<Int>, _ numbers: UnsafeMutablePointer<Number>) -> Void
  ) {
    let size = max(1, min(4_096, range.count))
    let numbers = UnsafeMutablePointer<Number>.allocate(capacity: size)
    numbers.initialize(repeating: 0, count: size)
    defer { numbers.deallocate() }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let positions = start..<min(range.upperBound, start + size)
      for (index, level) in levels.enumerated() {
        level.add(order, positions, to: numbers, isFirst: index == 0)
      }
      body(positions, numbers)
    }
  }
}

extension SortWord {
  /// Sorts like ``sortedWithStarts(_:)``, by counting.
  /// - Parameter buckets: greater than the number of every row.
  func countingSorted(
    _ order: RowOrder, buckets: Int
  ) -> (rows: [UInt32], starts: [Int]) {
    let parts = Parallel.parts(of: order.count)
    var starts: [Int] = []
    let rows = [UInt32](unsafeUninitializedCapacity: order.count) { result, count in
      // A copy, because concurrent closures cannot capture an `inout` parameter.
      let target = result
      LargePages.advise(target)
      BucketOffsets.with(buckets: buckets, parts: parts) { offsets in
        Parallel.forEachPart(of: order.count) { part, range in
          countNumbers(order, range, in: offsets.part(part))
        }
        offsets.accumulate()
        Parallel.forEachPart(of: order.count) { part, range in
          placeRows(order, range, at: offsets.part(part), into: target)
        }
        // The next positions of the last part are now the ends of the buckets.
        starts = Self.starts(ends: offsets.part(parts - 1), buckets: buckets, step: bucketsPerRank)
      }
      count = order.count
    }
    return (rows, starts)
  }

  private func countNumbers(
    _ order: RowOrder, _ range: Range<Int>, in counts: UnsafeMutablePointer<UInt32>
  ) {
    forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt32>) in
      for index in 0..<positions.count { counts[Int(numbers[index])] &+= 1 }
    }
  }

  private func placeRows(
    _ order: RowOrder, _ range: Range<Int>, at next: UnsafeMutablePointer<UInt32>,
    into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt32>) in
      order.forEachRow(at: positions) { index, row in
        let bucket = Int(numbers[index])
        target[Int(next[bucket])] = row
        next[bucket] &+= 1
      }
    }
  }

  /// The number of buckets per rank of the first level.
  var bucketsPerRank: Int {
    levels.dropFirst().reduce(1) { $0 * Int($1.bound ?? 1) }
  }

  /// The start of each non-empty group of `step` consecutive buckets.
  private static func starts(
    ends: UnsafePointer<UInt32>, buckets: Int, step: Int
  ) -> [Int] {
    var starts: [Int] = []
    var start = 0
    for last in stride(from: step - 1, to: buckets, by: step) {
      let end = Int(ends[last])
      if end > start { starts.append(start) }
      start = end
    }
    return starts
  }
}
