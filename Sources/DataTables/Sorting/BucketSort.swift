/// Sorts numbers by some of their bits, stably and most significant digit first. Each piece is
/// passed on as soon as it is sorted, while it is still in the cache.
struct BucketSort {
  /// Up to this many numbers are sorted by insertion.
  private static let small = 24
  private static let maxDigitBits = 12
  /// A digit has at least 5 bits unless it is the last one, so a number has at most 13 digits.
  private static let counters = 13 * (1 << maxDigitBits + 1)

  private let scratch: UnsafeMutablePointer<UInt64>
  /// The counters of all digits, those of the most significant digit first.
  private let counts: UnsafeMutablePointer<UInt32>
  /// The number of low bits below the bits to sort by.
  private let lowBits: Int

  /// - Parameters:
  ///   - capacity: the maximum count of numbers in one sort, below 2^32.
  ///   - lowBits: the number of low bits below the bits to sort by. The numbers must be passed in
  ///     ascending order of their low bits.
  static func with<Result>(
    capacity: Int, lowBits: Int, _ body: (BucketSort) throws -> Result
  ) rethrows -> Result {
    let scratch = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, capacity))
    let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: counters)
    defer {
      scratch.deallocate()
      counts.deallocate()
    }
    return try body(BucketSort(scratch: scratch, counts: counts, lowBits: lowBits))
  }

  /// - Parameters:
  ///   - bits: the number of bits to sort by; all higher bits are 0.
  ///   - consume: receives pieces of sorted numbers and their positions. Numbers with equal bits
  ///     are in one piece.
  func sort(
    _ numbers: UnsafeMutablePointer<UInt64>, count: Int, bits: Int,
    _ consume: (_ numbers: UnsafeMutablePointer<UInt64>, _ positions: Range<Int>) -> Void
  ) {
    sort(numbers, 0..<count, bits, scratch, counts, consume)
  }

  /// - Parameters:
  ///   - numbers: the numbers at `positions`, in one of two buffers.
  ///   - other: the same part of the other buffer.
  private func sort(
    _ numbers: UnsafeMutablePointer<UInt64>, _ positions: Range<Int>, _ bits: Int,
    _ other: UnsafeMutablePointer<UInt64>, _ ends: UnsafeMutablePointer<UInt32>,
    _ consume: (UnsafeMutablePointer<UInt64>, Range<Int>) -> Void
  ) {
    let count = positions.count
    if count <= Self.small || bits <= 0 {
      // Numbers with equal bits are already in order.
      if bits > 0 { Self.insertionSort(numbers, count: count) }
      return consume(numbers, positions)
    }
    // About as many buckets as numbers, so that most buckets hold only a few.
    let digit = min(bits, Self.maxDigitBits, Int.bitWidth - count.leadingZeroBitCount)
    let largest = scatter(
      numbers, count, shift: lowBits + bits - digit, digit: digit, into: other, ends)
    if largest <= Self.small {
      Self.exchangeNeighbors(other, count: count)
      Self.insertionSort(other, count: count)
      return consume(other, positions)
    }
    let next = ends + (1 << digit)
    var start = 0
    for bucket in 0..<1 << digit {
      let end = Int(ends[bucket])
      if end > start {
        let bucket = positions.lowerBound + start..<positions.lowerBound + end
        sort(other + start, bucket, bits - digit, numbers + start, next, consume)
      }
      start = end
    }
  }

  /// Distributes numbers by a digit, writes the end of each bucket to `ends`, and returns the size
  /// of the largest bucket.
  private func scatter(
    _ numbers: UnsafeMutablePointer<UInt64>, _ count: Int, shift: Int, digit: Int,
    into other: UnsafeMutablePointer<UInt64>, _ ends: UnsafeMutablePointer<UInt32>
  ) -> UInt32 {
    let shift = UInt64(shift)
    let buckets = 1 << digit
    let mask = UInt64(buckets - 1)
    ends.initialize(repeating: 0, count: buckets)
    for index in 0..<count {
      ends[Int(truncatingIfNeeded: numbers[index] &>> shift & mask)] &+= 1
    }
    var sum: UInt32 = 0
    var largest: UInt32 = 0
    for bucket in 0..<buckets {
      let size = ends[bucket]
      ends[bucket] = sum
      sum &+= size
      largest = max(largest, size)
    }
    for index in 0..<count {
      let number = numbers[index]
      let bucket = Int(truncatingIfNeeded: number &>> shift & mask)
      let position = ends[bucket]
      other[Int(position)] = number
      ends[bucket] = position &+ 1
    }
    return largest
  }

  /// Two passes of bubble sort in one loop without branches. They remove most of the disorder from
  /// nearly sorted numbers, so that the insertion sort that follows mispredicts fewer branches.
  private static func exchangeNeighbors(_ numbers: UnsafeMutablePointer<UInt64>, count: Int) {
    guard count > 1 else { return }
    // The greatest number so far, and the greatest number that the first pass left behind.
    var first = max(numbers[0], numbers[1])
    var second = min(numbers[0], numbers[1])
    for index in 2..<max(2, count) {
      let number = numbers[index]
      let left = min(first, number)
      first = max(first, number)
      numbers[index &- 2] = min(second, left)
      second = max(second, left)
    }
    numbers[count &- 2] = second
    numbers[count &- 1] = first
  }

  /// Sorts by all bits. The low bits ascend with the original positions, so this sort is stable
  /// too.
  private static func insertionSort(_ numbers: UnsafeMutablePointer<UInt64>, count: Int) {
    guard count > 1 else { return }
    for index in 1..<count {
      let number = numbers[index]
      var hole = index
      while hole > 0, numbers[hole &- 1] > number {
        numbers[hole] = numbers[hole &- 1]
        hole &-= 1
      }
      numbers[hole] = number
    }
  }
}
