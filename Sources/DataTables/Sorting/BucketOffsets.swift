/// For each part of the rows, the place of its next row in each bucket, for a stable distribution.
struct BucketOffsets {
  private let numbers: UnsafeMutablePointer<UInt32>
  private let buckets: Int
  private let parts: Int

  /// Provides counters that start at 0 and are freed when `body` returns.
  static func with(buckets: Int, parts: Int, _ body: (BucketOffsets) -> Void) {
    let numbers = UnsafeMutablePointer<UInt32>.allocate(capacity: buckets * parts)
    numbers.initialize(repeating: 0, count: buckets * parts)
    defer { numbers.deallocate() }
    body(BucketOffsets(numbers: numbers, buckets: buckets, parts: parts))
  }

  /// The counters of one part, one per bucket.
  @inline(__always) func part(_ part: Int) -> UnsafeMutablePointer<UInt32> {
    numbers + part * buckets
  }

  /// Turns counts into the places of the first rows: all parts of a bucket before the next bucket.
  func accumulate() {
    var sum: UInt32 = 0
    for bucket in 0..<buckets {
      var place = bucket
      for _ in 0..<parts {
        let count = numbers[place]
        numbers[place] = sum
        sum &+= count
        place += buckets
      }
    }
  }
}
