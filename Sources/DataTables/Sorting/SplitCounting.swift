/// Counts the numbers of rows in two steps. With very many buckets, each row would be written to a
/// distant place in memory. So the rows are first distributed by the upper bits of their numbers,
/// and then, while they are in the cache, by the lower bits, which are stored with them.
struct SplitCounting {
  /// The number of lower bits.
  let low: Int
  /// The number of values of the upper bits.
  let tops: Int
  let buckets: Int
  /// The number of bits of a position; the lower bits are stored above it, in 32 bits together.
  let positionBits: Int

  private static let fewestBuckets = 1 << 14
  private static let topBits = 9

  /// nil if one step is faster.
  init?(buckets: Int, count: Int) {
    let bits = Int.bitWidth - (buckets - 1).leadingZeroBitCount
    positionBits = Int.bitWidth - max(1, count - 1).leadingZeroBitCount
    low = min(32 - positionBits, bits - Self.topBits)
    guard buckets > Self.fewestBuckets, low > 0, bits - low <= Self.topBits + 3 else { return nil }
    tops = (buckets - 1) >> low + 1
    self.buckets = buckets
  }

  @inline(__always) func top(_ number: UInt32) -> Int { Int(number >> UInt32(low)) }

  /// The lower bits and a position in one number.
  @inline(__always) func packed(_ number: UInt32, at position: Int) -> UInt32 {
    (number & (1 << UInt32(low) &- 1)) << UInt32(positionBits)
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
    let ranks = split.buckets / step
    let begins = UnsafeMutableBufferPointer<Int>.allocate(capacity: ranks)
    begins.initialize(repeating: 0)
    defer { begins.deallocate() }
    let rows = [UInt32](unsafeUninitializedCapacity: order.count) { result, count in
      LargePages.advise(result)
      nonisolated(unsafe) let placement = SplitPlacement(
        order: order, split: split, packed: packed, ends: ends, step: step, begins: begins,
        target: result)
      let chunks = order.count < 50_000 ? 1 : min(64, split.tops)
      Parallel.forEach(chunks) { chunk, _ in
        placement.place(split.tops * chunk / chunks..<split.tops * (chunk + 1) / chunks)
      }
      count = order.count
    }
    let starts = begins.indices.filter {
      begins[$0] < ($0 + 1 < ranks ? begins[$0 + 1] : order.count)
    }
    return (rows, starts.map { begins[$0] })
  }

  /// Distributes the rows by the upper bits of their numbers; returns the end of the rows of each
  /// value.
  private func distribute(
    _ order: RowOrder, by split: SplitCounting, into packed: UnsafeMutableBufferPointer<UInt32>
  ) -> [UInt32] {
    let parts = Parallel.parts(of: order.count)
    var ends: [UInt32] = []
    BucketOffsets.with(buckets: split.tops, parts: parts) { offsets in
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
      ends = (0..<split.tops).map { offsets.part(parts - 1)[$0] }
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
  /// The end of the rows of each value of the upper bits.
  let ends: [UInt32]
  /// The number of buckets per rank of the first level.
  let step: Int
  /// The first position of each rank of the first level; the worker that has its rows writes it.
  let begins: UnsafeMutableBufferPointer<Int>
  let target: UnsafeMutableBufferPointer<UInt32>

  /// Places the rows of some values of the upper bits.
  func place(_ tops: Range<Int>) {
    let next = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 1 << split.low)
    defer { next.deallocate() }
    for top in tops {
      let range = range(of: top..<top + 1)
      Self.count(packed, range, split, next)
      // The first number of a rank need not occur among the rows.
      let numbers = top << split.low..<min((top + 1) << split.low, split.buckets)
      let first = (numbers.lowerBound + step - 1) / step
      for rank in stride(from: first * step, to: numbers.upperBound, by: step) {
        begins[rank / step] = Int(next[rank - numbers.lowerBound])
      }
      order.place(packed, range, split, next, into: target)
    }
    // The sorted rows take as much memory as these entries. Released here, both are never in
    // memory as a whole.
    LargePages.release(UnsafeMutableBufferPointer(rebasing: packed[range(of: tops)]))
  }

  /// The positions of the rows with some upper bits.
  private func range(of tops: Range<Int>) -> Range<Int> {
    func end(_ top: Int) -> Int { top == 0 ? 0 : Int(ends[top - 1]) }
    return end(tops.lowerBound)..<end(tops.upperBound)
  }

  /// Computes the place of the first row for each value of the lower bits.
  private static func count(
    _ packed: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, _ split: SplitCounting,
    _ next: UnsafeMutableBufferPointer<UInt32>
  ) {
    next.initialize(repeating: 0)
    for index in range { next[split.lower(packed[index])] &+= 1 }
    var place = UInt32(truncatingIfNeeded: range.lowerBound)
    for index in next.indices {
      let count = next[index]
      next[index] = place
      place &+= count
    }
  }
}

extension RowOrder {
  /// Writes each row to the next place of its bucket.
  fileprivate func place(
    _ packed: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>, _ split: SplitCounting,
    _ next: UnsafeMutableBufferPointer<UInt32>, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    switch self {
    case .natural:
      for index in range {
        let lower = split.lower(packed[index])
        target[Int(next[lower])] = UInt32(truncatingIfNeeded: split.position(packed[index]))
        next[lower] &+= 1
      }
    case .rows(let rows):
      rows.withUnsafeBufferPointer { rows in
        for index in range {
          let lower = split.lower(packed[index])
          target[Int(next[lower])] = rows[split.position(packed[index])]
          next[lower] &+= 1
        }
      }
    }
  }
}
