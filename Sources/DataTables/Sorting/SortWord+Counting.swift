extension SortWord {
  /// - Parameter buckets: more than every number of a row.
  func countingSorted(
    _ order: RowOrder, buckets: Int
  ) -> (rows: [UInt32], starts: [Int]) {
    let parts = Parallel.parts(of: order.count)
    var starts: [Int] = []
    let rows = [UInt32](unsafeUninitializedCapacity: order.count) { result, count in
      // A copy that closures may read while the buffer is written.
      let target = result
      LargePages.advise(target)
      BucketOffsets.with(buckets: buckets, parts: parts) { offsets in
        Parallel.forEachPart(of: order.count) { part, range in
          let counts = offsets.part(part)
          forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt32>) in
            for index in 0..<positions.count { counts[Int(numbers[index])] &+= 1 }
          }
        }
        offsets.accumulate()
        Parallel.forEachPart(of: order.count) { part, range in
          let next = offsets.part(part)
          forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt32>) in
            order.forEachRow(at: positions) { index, row in
              let bucket = Int(numbers[index])
              target[Int(next[bucket])] = row
              next[bucket] &+= 1
            }
          }
        }
        // By now the places of the last part are where the buckets end.
        starts = Self.starts(ends: offsets.part(parts - 1), buckets: buckets, step: step)
      }
      count = order.count
    }
    return (rows, starts)
  }

  /// The buckets of one rank of the first level.
  var step: Int {
    levels.dropFirst().reduce(1) { step, level in
      if case .ranks(_, _, let count) = level { step * count } else { step }
    }
  }

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
