/// The counters of a stable, parallel distribution: for each part of the rows, the target position
/// of its next row in each bucket.
struct BucketOffsets {
  private let counters: UnsafeMutablePointer<UInt32>
  private let buckets: Int
  private let parts: Int

  /// Provides counters that start at 0 and are freed when `body` returns.
  static func with(buckets: Int, parts: Int, _ body: (BucketOffsets) -> Void) {
    let counters = UnsafeMutablePointer<UInt32>.allocate(capacity: buckets * parts)
    counters.initialize(repeating: 0, count: buckets * parts)
    defer { counters.deallocate() }
    body(BucketOffsets(counters: counters, buckets: buckets, parts: parts))
  }

  /// The counters of one part, one per bucket.
  @inline(__always) func part(_ part: Int) -> UnsafeMutablePointer<UInt32> {
    counters + part * buckets
  }

  /// The number of rows in a bucket, before ``accumulate()``.
  func total(of bucket: Int) -> Int {
    (0..<parts).reduce(0) { $0 + Int(counters[$1 * buckets + bucket]) }
  }

  /// Turns the counts into target positions: the position of the first row of each part in each
  /// bucket. The rows of all parts of a bucket are before the rows of the next bucket.
  func accumulate() {
    var sum: UInt32 = 0
    for bucket in 0..<buckets {
      var index = bucket
      for _ in 0..<parts {
        let count = counters[index]
        counters[index] = sum
        sum &+= count
        index += buckets
      }
    }
  }
}
