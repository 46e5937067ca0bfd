/// Sorts numbers by some of their bits, stably and most significant digit first. It passes each
/// piece on as soon as it is sorted, while it is in the cache.
struct BucketSort {
  /// Fewer numbers than this are sorted by insertion.
  private static let small = 24
  private static let mostDigitBits = 12
  /// A digit has at least 5 bits unless it takes all that are left, so a number has at most 13
  /// digits.
  private static let counters = 13 * (1 << mostDigitBits + 1)

  private let scratch: UnsafeMutablePointer<UInt64>
  /// The counters of all digits, each digit's after those of the digit before.
  private let counts: UnsafeMutablePointer<UInt32>
  /// The number of bits below those that are sorted by.
  private let above: Int

  /// - Parameters:
  ///   - capacity: the most numbers of one sort; below 2^32.
  ///   - above: the number of bits below those that are sorted by.
  static func with<Result>(
    capacity: Int, above: Int, _ body: (BucketSort) throws -> Result
  ) rethrows -> Result {
    let scratch = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, capacity))
    let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: counters)
    defer {
      scratch.deallocate()
      counts.deallocate()
    }
    return try body(BucketSort(scratch: scratch, counts: counts, above: above))
  }

  /// - Parameters:
  ///   - bits: the number of bits to sort by; all bits above them are 0.
  ///   - consume: receives pieces of sorted numbers and their positions. Numbers with equal bits
  ///     are in one piece.
  func sort(
    _ numbers: UnsafeMutablePointer<UInt64>, count: Int, bits: Int,
    _ consume: (_ numbers: UnsafeMutablePointer<UInt64>, _ positions: Range<Int>) -> Void
  ) {
    sort(numbers, 0..<count, bits, scratch, counts, consume)
  }

  /// - Parameter numbers: the numbers at `positions`, in one of two buffers; `other` is the free
  ///   one.
  private func sort(
    _ numbers: UnsafeMutablePointer<UInt64>, _ positions: Range<Int>, _ bits: Int,
    _ other: UnsafeMutablePointer<UInt64>, _ ends: UnsafeMutablePointer<UInt32>,
    _ consume: (UnsafeMutablePointer<UInt64>, Range<Int>) -> Void
  ) {
    let count = positions.count
    if count <= Self.small || bits <= 0 {
      // Numbers with all bits equal were in order before.
      if bits > 0 { Self.insertionSort(numbers, count: count) }
      return consume(numbers, positions)
    }
    // About as many buckets as numbers, so that most buckets hold a few.
    let digit = min(bits, Self.mostDigitBits, Int.bitWidth - count.leadingZeroBitCount)
    let largest = scatter(
      numbers, count, shift: above + bits - digit, digit: digit, into: other, ends)
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
      let place = ends[bucket]
      other[Int(place)] = number
      ends[bucket] = place &+ 1
    }
    return largest
  }

  /// Removes most of the disorder from numbers that are nearly sorted, in two passes at once and
  /// without a branch: each number that an insertion has to move costs a misprediction.
  private static func exchangeNeighbors(_ numbers: UnsafeMutablePointer<UInt64>, count: Int) {
    guard count > 1 else { return }
    // The greatest number so far, and the greatest of those that the first pass left behind.
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

  /// Sorts by all bits. The lowest bits hold ascending places, so this sort is stable too.
  private static func insertionSort(_ numbers: UnsafeMutablePointer<UInt64>, count: Int) {
    guard count > 1 else { return }
    for index in 1..<count {
      let number = numbers[index]
      var place = index
      while place > 0, numbers[place &- 1] > number {
        numbers[place] = numbers[place &- 1]
        place &-= 1
      }
      numbers[place] = number
    }
  }
}
