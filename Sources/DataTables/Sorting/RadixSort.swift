/// An index and the key that it is sorted by.
struct KeyedIndex {
  var key: UInt64
  var index: UInt32

  /// Sorts by key. The sort is stable if the indexes of the entries ascend.
  static func sort(_ entries: inout [KeyedIndex]) {
    guard entries.count > RadixSort.shortCount else {
      entries.sort { ($0.key, $0.index) < ($1.key, $1.index) }
      return
    }
    let order = entries.map(\.key).withUnsafeBufferPointer {
      RadixSort.order(of: $0, from: .natural(entries.count))
    }
    entries = order.map { entries[Int($0)] }
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
///
/// The time of a pass is that of its memory, so an entry has 64 bits only: the upper bits of a key,
/// followed by its index.
enum RadixSort {
  /// Up to this number of keys, a comparison sort costs less than the passes over all digits.
  static let shortCount = 1 << 11

  /// A pass with wider digits writes to more places than the cache holds.
  private static let maxBits: UInt64 = 12
  /// Three digits distinguish nearly all keys; lower bits are read only for keys whose upper digits
  /// are equal.
  private static let digits: UInt64 = 3
  /// Runs up to this length are sorted by insertion.
  private static let shortRun = 24

  /// The rows of an order, sorted by their keys; rows with equal keys keep their order.
  /// - Parameter keys: the key at each position of the order.
  /// - Complexity: O(rows), on all processors; memory: 20 bytes per row in addition to the keys.
  static func order(of keys: UnsafeBufferPointer<UInt64>, from order: RowOrder) -> [UInt32] {
    let varying = varyingBits(keys)
    if keys.count <= shortCount || varying == 0 { return shortOrder(of: keys, from: order) }
    let layout = Layout(count: keys.count, varying: varying)
    var source = LargePages.allocate(UInt64.self, capacity: keys.count)
    var target = LargePages.allocate(UInt64.self, capacity: keys.count)
    defer {
      source.deallocate()
      target.deallocate()
    }
    nonisolated(unsafe) let entries = source
    Parallel.forEachPart(of: keys.count) { _, range in
      for position in range { entries[position] = layout.entry(keys[position], index: position) }
    }
    sort(&source, &target, bits: layout.index..<layout.index + layout.kept)
    if layout.low > 0 { sortRuns(source, of: keys, layout) }
    return rows(of: source, layout, from: order)
  }

  /// Sorts entries stably by some of their bits.
  ///
  /// - Parameters:
  ///   - source: the entries; afterwards those in their order.
  ///   - target: memory for as many entries.
  /// - Complexity: O(entries · bits), on all processors.
  static func sort(
    _ source: inout UnsafeMutableBufferPointer<UInt64>,
    _ target: inout UnsafeMutableBufferPointer<UInt64>, bits: Range<UInt64>
  ) {
    let passes = max(1, (UInt64(bits.count) + maxBits - 1) / maxBits)
    let width = (UInt64(bits.count) + passes - 1) / passes
    for shift in stride(from: bits.lowerBound, to: bits.upperBound, by: Int(width)) {
      let entries = source
      let digit = Digit(shift: shift, width: min(width, bits.upperBound - shift))
      if pass(entries.count, to: target, digit, { entries[$0] }) { swap(&source, &target) }
    }
  }

  /// Some adjacent bits of an entry.
  private struct Digit {
    let shift: UInt64
    let width: UInt64

    var buckets: Int { 1 << Int(width) }
    @inline(__always) func callAsFunction(_ entry: UInt64) -> Int {
      Int(truncatingIfNeeded: entry >> shift & (1 << width &- 1))
    }
  }

  /// How the bits of an entry are divided.
  private struct Layout {
    /// The number of bits of the index, which are the lowest bits of an entry.
    let index: UInt64
    /// The lowest bit of a key that is in an entry.
    let low: UInt64
    /// The number of bits of a key that are in an entry.
    let kept: UInt64

    init(count: Int, varying: UInt64) {
      let index = UInt64(Int.bitWidth - (count - 1).leadingZeroBitCount)
      let high = UInt64(UInt64.bitWidth - varying.leadingZeroBitCount)
      kept = min(high, RadixSort.digits * RadixSort.maxBits, 64 - index)
      low = high - kept
      self.index = index
    }

    @inline(__always) func entry(_ key: UInt64, index number: Int) -> UInt64 {
      (key >> low) << index | UInt64(number)
    }
    @inline(__always) func index(of entry: UInt64) -> Int {
      Int(truncatingIfNeeded: entry & ~(.max << index))
    }
  }

  private static func shortOrder(
    of keys: UnsafeBufferPointer<UInt64>, from order: RowOrder
  ) -> [UInt32] {
    let positions = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    return positions.map { UInt32(truncatingIfNeeded: order[$0]) }
  }

  private static func rows(
    of entries: UnsafeMutableBufferPointer<UInt64>, _ layout: Layout, from order: RowOrder
  ) -> [UInt32] {
    // Before the parallel loop, in which all threads would wait for the one that computes it.
    let list = order.list
    return [UInt32](unsafeUninitializedCapacity: entries.count) { result, count in
      // A copy, because concurrent closures cannot capture an `inout` parameter.
      let target = result
      LargePages.advise(target)
      Parallel.forEachPart(of: entries.count) { _, range in
        guard let rows = list else {
          for position in range {
            target[position] = UInt32(truncatingIfNeeded: layout.index(of: entries[position]))
          }
          return
        }
        rows.withUnsafeBufferPointer { rows in
          for position in range { target[position] = rows[layout.index(of: entries[position])] }
        }
      }
      count = entries.count
    }
  }

  /// Sorts the runs of entries whose keys are equal except for the bits below ``Layout/low``.
  private static func sortRuns(
    _ entries: UnsafeMutableBufferPointer<UInt64>, of keys: UnsafeBufferPointer<UInt64>,
    _ layout: Layout
  ) {
    Parallel.forEachPart(of: entries.count) { _, range in
      func top(_ position: Int) -> UInt64 { entries[position] >> layout.index }
      // A run belongs to the part where it begins.
      var start = range.lowerBound
      while start > 0, start < range.upperBound, top(start) == top(start - 1) { start += 1 }
      while start < range.upperBound {
        var end = start + 1
        while end < entries.count, top(end) == top(start) { end += 1 }
        if end - start > 1 {
          sortRun(UnsafeMutableBufferPointer(rebasing: entries[start..<end]), of: keys, layout)
        }
        start = end
      }
    }
  }

  private static func sortRun(
    _ run: UnsafeMutableBufferPointer<UInt64>, of keys: UnsafeBufferPointer<UInt64>,
    _ layout: Layout
  ) {
    guard run.count > shortRun else {
      return insertionSort(run) { keys[layout.index(of: $0)] }
    }
    let top = run[0] >> layout.index
    let indexes = run.map { UInt32(truncatingIfNeeded: layout.index(of: $0)) }
    let sorted = indexes.map { keys[Int($0)] }.withUnsafeBufferPointer {
      order(of: $0, from: .rows(indexes))
    }
    for (position, index) in sorted.enumerated() {
      run[position] = top << layout.index | UInt64(index)
    }
  }

  @inline(__always)
  private static func insertionSort(
    _ run: UnsafeMutableBufferPointer<UInt64>, by key: (UInt64) -> UInt64
  ) {
    for position in 1..<max(1, run.count) {
      let entry = run[position]
      let entryKey = key(entry)
      var hole = position
      while hole > 0, key(run[hole - 1]) > entryKey {
        run[hole] = run[hole - 1]
        hole -= 1
      }
      run[hole] = entry
    }
  }

  private static func varyingBits(_ keys: UnsafeBufferPointer<UInt64>) -> UInt64 {
    var or: UInt64 = 0
    var and = UInt64.max
    for key in keys {
      or |= key
      and &= key
    }
    return or & ~and
  }

  /// Distributes entries to the buckets of a digit.
  /// - Parameter entry: returns the entry at a position.
  /// - Returns: false if all entries have the same digit; they are then not written.
  // Inlined with its closure: no call per entry.
  @inline(__always)
  private static func pass(
    _ count: Int, to target: UnsafeMutableBufferPointer<UInt64>, _ digit: Digit,
    _ entry: (_ position: Int) -> UInt64
  ) -> Bool {
    var isNeeded = true
    BucketOffsets.with(buckets: digit.buckets, parts: Parallel.parts(of: count)) { offsets in
      Parallel.forEachPart(of: count) { part, range in
        let counts = offsets.part(part)
        for position in range {
          counts[digit(entry(position))] &+= 1
        }
      }
      if offsets.total(of: digit(entry(0))) == count {
        isNeeded = false
        return
      }
      offsets.accumulate()
      Parallel.forEachPart(of: count) { part, range in
        let next = offsets.part(part)
        for position in range {
          let entry = entry(position)
          let bucket = digit(entry)
          target[Int(next[bucket])] = entry
          next[bucket] &+= 1
        }
      }
    }
    return isNeeded
  }
}
