/// A counting sort in two steps. With very many buckets, a single step would write each row to a
/// distant memory location. So the first step distributes the rows by the upper bits of their
/// numbers and stores the lower bits with them. The second step distributes them by the lower bits
/// while they are in the cache.
struct SplitCounting {
  /// The number of lower bits.
  let lowBits: Int
  /// The number of different values of the upper bits.
  let topCount: Int
  let buckets: Int
  /// The number of bits of a position. The lower bits are stored above the position; together they
  /// fit in 32 bits.
  let positionBits: Int

  private static let minBuckets = 1 << 14
  private static let topBits = 9

  /// nil if one step is faster.
  init?(buckets: Int, count: Int) {
    let bits = Int.bitWidth - (buckets - 1).leadingZeroBitCount
    positionBits = Int.bitWidth - max(1, count - 1).leadingZeroBitCount
    lowBits = min(32 - positionBits, bits - Self.topBits)
    guard buckets > Self.minBuckets, lowBits > 0, bits - lowBits <= Self.topBits + 3 else {
      return nil
    }
    topCount = (buckets - 1) >> lowBits + 1
    self.buckets = buckets
  }

  @inline(__always) func top(_ number: UInt32) -> Int { Int(number >> UInt32(lowBits)) }

  /// The lower bits and a position in one number.
  @inline(__always) func packed(_ number: UInt32, at position: Int) -> UInt32 {
    (number & (1 << UInt32(lowBits) &- 1)) << UInt32(positionBits)
      | UInt32(truncatingIfNeeded: position)
  }

  @inline(__always) func lower(_ packed: UInt32) -> Int { Int(packed >> UInt32(positionBits)) }

  @inline(__always) func position(_ packed: UInt32) -> Int {
    Int(packed & (1 << UInt32(positionBits) &- 1))
  }
}

extension SortWord {
  /// Sorts like ``countingSorted(_:buckets:)``.
  func splitSorted(
    _ order: RowOrder, by split: SplitCounting
  ) -> (rows: [UInt32], starts: [Int]) {
    let packed = LargePages.allocate(UInt32.self, capacity: order.count)
    defer { packed.deallocate() }
    let ends = distribute(order, by: split, into: packed)
    let ranks = split.buckets / bucketsPerRank
    let rankStarts = UnsafeMutableBufferPointer<Int>.allocate(capacity: ranks)
    rankStarts.initialize(repeating: 0)
    defer { rankStarts.deallocate() }
    let rows = [UInt32](unsafeUninitializedCapacity: order.count) { result, count in
      LargePages.advise(result)
      nonisolated(unsafe) let placement = SplitPlacement(
        order: order.withList, split: split, packed: packed, ends: ends, step: bucketsPerRank,
        rankStarts: rankStarts,
        target: result)
      let chunks = order.count < 50_000 ? 1 : min(64, split.topCount)
      Parallel.forEach(chunks) { chunk, _ in
        placement.place(split.topCount * chunk / chunks..<split.topCount * (chunk + 1) / chunks)
      }
      count = order.count
    }
    let starts = rankStarts.indices.filter {
      rankStarts[$0] < ($0 + 1 < ranks ? rankStarts[$0 + 1] : order.count)
    }
    return (rows, starts.map { rankStarts[$0] })
  }

  /// Distributes the rows by the upper bits of their numbers.
  /// - Returns: for each value of the upper bits, the end of its rows.
  private func distribute(
    _ order: RowOrder, by split: SplitCounting, into packed: UnsafeMutableBufferPointer<UInt32>
  ) -> [UInt32] {
    let parts = Parallel.parts(of: order.count)
    var ends: [UInt32] = []
    BucketOffsets.with(buckets: split.topCount, parts: parts) { offsets in
      Parallel.forEachPart(of: order.count) { part, range in
        let counts = offsets.part(part)
        forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt32>) in
          for index in 0..<positions.count { counts[split.top(numbers[index])] &+= 1 }
        }
      }
      offsets.accumulate()
      nonisolated(unsafe) let packed = packed
      Parallel.forEachPart(of: order.count) { part, range in
        pack(order, range, by: split, at: offsets.part(part), into: packed)
      }
      ends = (0..<split.topCount).map { offsets.part(parts - 1)[$0] }
    }
    return ends
  }

  private func pack(
    _ order: RowOrder, _ range: Range<Int>, by split: SplitCounting,
    at next: UnsafeMutablePointer<UInt32>, into packed: UnsafeMutableBufferPointer<UInt32>
  ) {
    forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt32>) in
      for (index, position) in positions.enumerated() {
        let top = split.top(numbers[index])
        packed[Int(next[top])] = split.packed(numbers[index], at: position)
        next[top] &+= 1
      }
    }
  }
}

/// The second step: places rows by the lower bits of their numbers.
private struct SplitPlacement {
  let order: RowOrder
  let split: SplitCounting
  /// The lower bits and positions of the rows, distributed by the upper bits.
  let packed: UnsafeMutableBufferPointer<UInt32>
  /// For each value of the upper bits, the end of its rows.
  let ends: [UInt32]
  /// The number of buckets per rank of the first level.
  let step: Int
  /// The first position of each rank of the first level, written by the worker that places its
  /// rows.
  let rankStarts: UnsafeMutableBufferPointer<Int>
  let target: UnsafeMutableBufferPointer<UInt32>

  /// Places the rows whose upper bits are in `tops`.
  func place(_ tops: Range<Int>) {
    let next = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 1 << split.lowBits)
    defer { next.deallocate() }
    for top in tops {
      let range = range(of: top..<top + 1)
      Self.count(packed, range, split, next)
      // A rank starts at the position of its first number, even if no row has that number.
      let numbers = top << split.lowBits..<min((top + 1) << split.lowBits, split.buckets)
      let first = (numbers.lowerBound + step - 1) / step
      for rank in stride(from: first * step, to: numbers.upperBound, by: step) {
        rankStarts[rank / step] = Int(next[rank - numbers.lowerBound])
      }
      order.place(packed, range, split, next, into: target)
    }
    // The sorted rows need as much memory as these entries. Releasing the entries here keeps all
    // entries and all sorted rows from being in memory together.
    LargePages.release(UnsafeMutableBufferPointer(rebasing: packed[range(of: tops)]))
  }

  /// The positions in `packed` of the rows whose upper bits are in `tops`.
  private func range(of tops: Range<Int>) -> Range<Int> {
    func end(_ top: Int) -> Int { top == 0 ? 0 : Int(ends[top - 1]) }
    return end(tops.lowerBound)..<end(tops.upperBound)
  }

  /// Computes the position of the first row for each value of the lower bits.
  private static func count(
    _ packed: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, _ split: SplitCounting,
    _ next: UnsafeMutableBufferPointer<UInt32>
  ) {
    next.initialize(repeating: 0)
    for index in range { next[split.lower(packed[index])] &+= 1 }
    var position = UInt32(truncatingIfNeeded: range.lowerBound)
    for index in next.indices {
      let count = next[index]
      next[index] = position
      position &+= count
    }
  }
}

extension RowOrder {
  /// Writes each row to the next position of its bucket.
  fileprivate func place(
    _ packed: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, _ split: SplitCounting,
    _ next: UnsafeMutableBufferPointer<UInt32>, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard let rows = list else {
      for index in range {
        let lower = split.lower(packed[index])
        target[Int(next[lower])] = UInt32(truncatingIfNeeded: split.position(packed[index]))
        next[lower] &+= 1
      }
      return
    }
    rows.withUnsafeBufferPointer { rows in
      for index in range {
        let lower = split.lower(packed[index])
        target[Int(next[lower])] = rows[split.position(packed[index])]
        next[lower] &+= 1
      }
    }
  }
}
