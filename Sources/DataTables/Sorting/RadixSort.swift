/// An index and the key that it is sorted by.
struct KeyedIndex {
  var key: UInt64
  var index: UInt32

  /// Sorts by key. The sort is stable if the indexes of the entries ascend.
  static func sort(_ entries: inout [KeyedIndex]) {
    // For fewer entries, a comparison sort costs less than the passes over all digits.
    guard entries.count > 2_048 else {
      entries.sort { ($0.key, $0.index) < ($1.key, $1.index) }
      return
    }
    var scratch = entries
    entries.withUnsafeMutableBufferPointer { entries in
      scratch.withUnsafeMutableBufferPointer { scratch in
        RadixSort.sort(entries, scratch: scratch)
      }
    }
  }

  /// The rank of each key, equal for equal keys, and the number of distinct keys.
  /// - Complexity: O(keys).
  static func ranks<Rank: FixedWidthInteger>(
    of keys: some Collection<UInt64>
  ) -> (ranks: [Rank], count: Int) {
    var entries = keys.enumerated().map {
      KeyedIndex(key: $1, index: UInt32(truncatingIfNeeded: $0))
    }
    sort(&entries)
    var ranks = [Rank](repeating: 0, count: entries.count)
    var rank: Rank = 0
    for (position, entry) in entries.enumerated() {
      if position > 0, entry.key != entries[position - 1].key { rank += 1 }
      ranks[Int(entry.index)] = rank
    }
    return (ranks, entries.isEmpty ? 0 : Int(rank) + 1)
  }
}

/// A stable sort of keys, least significant digit first.
enum RadixSort {
  private static let bits = 11
  private static let buckets = 1 << bits

  /// Runs up to this length are sorted by insertion.
  private static let shortRun = 24

  /// Sorts `entries` by key; `scratch` has the same length, and its content is undefined afterward.
  ///
  /// The upper three digits distinguish nearly all keys; lower digits are read only for keys whose
  /// upper three digits are equal.
  /// - Precondition: the indexes of the entries ascend.
  static func sort(
    _ entries: UnsafeMutableBufferPointer<KeyedIndex>,
    scratch: UnsafeMutableBufferPointer<KeyedIndex>
  ) {
    var source = entries
    var target = scratch
    let varying = varyingBits(entries)
    let high = UInt64.bitWidth - varying.leadingZeroBitCount
    let low = max(0, high - 3 * bits)
    for shift in stride(from: low, to: high, by: bits) {
      // A digit that is equal in all keys needs no pass.
      if (varying >> UInt64(shift)) & UInt64(buckets - 1) == 0 { continue }
      pass(from: source, to: target, shift: UInt64(shift))
      swap(&source, &target)
    }
    if source.baseAddress != entries.baseAddress { _ = entries.update(from: source) }
    if low > 0 { sortRuns(entries, scratch: scratch, below: UInt64(low)) }
  }

  /// Sorts the runs of entries whose keys are equal except for the bits below `low`.
  private static func sortRuns(
    _ entries: UnsafeMutableBufferPointer<KeyedIndex>,
    scratch: UnsafeMutableBufferPointer<KeyedIndex>, below low: UInt64
  ) {
    var start = 0
    while start < entries.count {
      let top = entries[start].key >> low
      var end = start + 1
      while end < entries.count, entries[end].key >> low == top { end += 1 }
      var run = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
      if run.count <= shortRun {
        insertionSort(run)
      } else if run.count <= buckets {
        run.sort { ($0.key, $0.index) < ($1.key, $1.index) }
      } else {
        sort(run, scratch: UnsafeMutableBufferPointer(rebasing: scratch[start..<end]))
      }
      start = end
    }
  }

  private static func insertionSort(_ run: UnsafeMutableBufferPointer<KeyedIndex>) {
    for position in 1..<max(1, run.count) {
      let entry = run[position]
      var hole = position
      while hole > 0, run[hole - 1].key > entry.key {
        run[hole] = run[hole - 1]
        hole -= 1
      }
      run[hole] = entry
    }
  }

  private static func varyingBits(_ entries: UnsafeMutableBufferPointer<KeyedIndex>) -> UInt64 {
    var or: UInt64 = 0
    var and = UInt64.max
    for entry in entries {
      or |= entry.key
      and &= entry.key
    }
    return or & ~and
  }

  private static func pass(
    from source: UnsafeMutableBufferPointer<KeyedIndex>,
    to target: UnsafeMutableBufferPointer<KeyedIndex>, shift: UInt64
  ) {
    let parts = Parallel.parts(of: source.count)
    let mask = UInt64(buckets - 1)
    BucketOffsets.with(buckets: buckets, parts: parts) { offsets in
      Parallel.forEachPart(of: source.count) { part, range in
        let counts = offsets.part(part)
        for position in range {
          counts[Int(truncatingIfNeeded: (source[position].key >> shift) & mask)] &+= 1
        }
      }
      offsets.accumulate()
      Parallel.forEachPart(of: source.count) { part, range in
        let next = offsets.part(part)
        for position in range {
          let entry = source[position]
          let bucket = Int(truncatingIfNeeded: (entry.key >> shift) & mask)
          target[Int(next[bucket])] = entry
          next[bucket] &+= 1
        }
      }
    }
  }
}
