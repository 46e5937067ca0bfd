/// Sorts numbers by some of their bits, stably, the most significant digits first.
enum BucketSort {
  /// Fewer numbers are sorted by insertion.
  private static let small = 24

  /// - Parameters:
  ///   - bits: how many bits count; all above them are 0.
  ///   - above: the number of bits below those that count.
  static func sort(
    _ numbers: UnsafeMutablePointer<UInt64>, count: Int, bits: Int, above: Int
  ) {
    guard count > small, bits > 0 else { return insertionSort(numbers, count: count) }
    let scratch = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    defer { scratch.deallocate() }
    sort(numbers, count, bits, above, scratch)
  }

  private static func sort(
    _ numbers: UnsafeMutablePointer<UInt64>, _ count: Int, _ bits: Int, _ above: Int,
    _ scratch: UnsafeMutablePointer<UInt64>
  ) {
    if count <= small { return insertionSort(numbers, count: count) }
    // What is the same in all bits was in order before.
    guard bits > 0 else { return }
    // About as many buckets as numbers, so that most hold a few.
    let digit = min(bits, 8, Int.bitWidth - count.leadingZeroBitCount)
    let shift = UInt64(above + bits - digit)
    let mask = (UInt64(1) << UInt64(digit)) &- 1
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { ends in
      ends.initialize(repeating: 0)
      for index in 0..<count {
        ends[Int(truncatingIfNeeded: numbers[index] >> shift & mask)] &+= 1
      }
      var sum = 0
      for bucket in 0...Int(mask) {
        let size = ends[bucket]
        ends[bucket] = sum
        sum &+= size
      }
      for index in 0..<count {
        let bucket = Int(truncatingIfNeeded: numbers[index] >> shift & mask)
        scratch[ends[bucket]] = numbers[index]
        ends[bucket] &+= 1
      }
      numbers.update(from: scratch, count: count)
      var start = 0
      for bucket in 0...Int(mask) {
        let end = ends[bucket]
        if end &- start > 1 { sort(numbers + start, end &- start, bits - digit, above, scratch) }
        start = end
      }
    }
  }

  /// By all bits, of which the lowest hold places that ascend: so this is stable too.
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
