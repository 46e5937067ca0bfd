internal import CScan

/// Sorts texts by their bytes, nulls left out, on all processors.
///
/// The bits that differ in the first bytes are packed into one number with the number of the text;
/// the top bits scatter these over buckets that fit the cache, which are then sorted one by one. Only
/// texts that are the same so far are looked at again.
struct TextSort {
  let heap: TextHeap
  /// Blocks that one worker takes.
  let parts: [Range<Int>]
  let numberBits: Int

  /// More buckets are more lines and pages than a processor keeps at hand: to write to 2,048 of them takes
  /// twice as long as to write to half as many.
  static let topBits = 10

  init(_ heap: TextHeap) {
    self.heap = heap
    numberBits = Int.bitWidth - max(1, heap.count - 1).leadingZeroBitCount
    parts = heap.blockRanges(Parallel.workers)
  }

  func sorted(cancellation: Cancellation) throws -> CodeOrder {
    let prefix = try prefix(cancellation: cancellation)
    let top = min(Self.topBits, prefix.width)
    let (starts, places) = try counts(prefix, top: top, cancellation: cancellation)
    let memory = LargePages.allocate(UInt64.self, capacity: starts[1 << top])
    defer { memory.deallocate() }
    // Each worker writes places of its own.
    nonisolated(unsafe) let entries = memory
    try scatter(prefix, top: top, places: places, into: entries, cancellation: cancellation)
    return sortBuckets(entries, starts: starts, restBits: prefix.width - top, prefix)
  }
}

extension TextSort {
  /// Calls `body` with packed prefixes of texts of some blocks, nulls left out: those of neighbours at a
  /// time, and the number of the first.
  @inline(__always)
  private func forEachRun(
    _ prefix: PackedPrefix, of part: Range<Int>, cancellation: Cancellation,
    _ body: (_ packed: UnsafeMutableBufferPointer<UInt64>, _ first: UInt64) -> Void
  ) throws {
    let kernels = ds_kernels_best().pointee
    let size = 1_024
    let packed = UnsafeMutablePointer<UInt64>.allocate(capacity: size)
    defer { packed.deallocate() }
    for place in part {
      try cancellation.check()
      let block = heap.blocks[place]
      for start in stride(from: 0, to: block.count, by: size) {
        let texts = start..<min(block.count, start + size)
        prefix.pack(texts, of: block, with: kernels, into: packed)
        var next = start
        while let run = block.run(from: next, below: texts.upperBound) {
          let packed = UnsafeMutableBufferPointer(
            start: packed + (run.lowerBound - start), count: run.count)
          body(packed, UInt64(truncatingIfNeeded: heap.starts[place] + run.lowerBound))
          next = run.upperBound
        }
      }
    }
  }

  /// Where the entries of each bucket begin, and where each part puts its first one of each.
  private func counts(
    _ prefix: PackedPrefix, top: Int, cancellation: Cancellation
  ) throws -> (starts: [Int], places: WorkerSlots<[UInt32]>) {
    let buckets = 1 << top
    let shift = UInt64(prefix.width - top)
    let counts = WorkerSlots<[UInt32]>(parts.count)
    try Parallel.forEach(parts.count) { part, _ in
      var own = [UInt32](repeating: 0, count: buckets)
      try own.withUnsafeMutableBufferPointer { own in
        try forEachRun(prefix, of: parts[part], cancellation: cancellation) { packed, _ in
          for prefix in packed { own[Int(truncatingIfNeeded: prefix &>> shift)] &+= 1 }
        }
      }
      counts[part] = own
    }
    var starts: [Int] = []
    starts.reserveCapacity(buckets + 1)
    var all = parts.indices.map { counts[$0] ?? [] }
    var sum: UInt32 = 0
    for bucket in 0..<buckets {
      starts.append(Int(sum))
      for part in all.indices {
        let count = all[part][bucket]
        all[part][bucket] = sum
        sum += count
      }
    }
    starts.append(Int(sum))
    for part in parts.indices { counts[part] = all[part] }
    return (starts, counts)
  }

  private func scatter(
    _ prefix: PackedPrefix, top: Int, places: WorkerSlots<[UInt32]>,
    into entries: UnsafeMutableBufferPointer<UInt64>, cancellation: Cancellation
  ) throws {
    let shift = UInt64(prefix.width - top)
    let restMask = (UInt64(1) << shift) &- 1
    let numberBits = UInt64(numberBits)
    nonisolated(unsafe) let entries = entries
    try Parallel.forEach(parts.count) { part, _ in
      guard var next = places[part] else { return }
      try next.withUnsafeMutableBufferPointer { next in
        try forEachRun(prefix, of: parts[part], cancellation: cancellation) { packed, first in
          var number = first
          for prefix in packed {
            let bucket = Int(truncatingIfNeeded: prefix &>> shift)
            let place = next[bucket]
            entries[Int(place)] = (prefix & restMask) &<< numberBits | number
            next[bucket] = place &+ 1
            number &+= 1
          }
        }
      }
    }
  }
}

extension TextSort {
  /// Buckets that one worker takes, cut so that few are left to one when the other is done.
  private func chunks(of starts: [Int]) -> [Range<Int>] {
    let chunks = 32
    let count = starts[starts.count - 1]
    var bucket = 0
    let ends = (1...chunks).map { chunk in
      while starts[bucket] < count * chunk / chunks { bucket += 1 }
      return bucket
    }
    return zip([0] + ends, ends).map { $0..<$1 }.filter { !$0.isEmpty }
  }

  private func sortBuckets(
    _ entries: UnsafeMutableBufferPointer<UInt64>, starts: [Int], restBits: Int,
    _ prefix: PackedPrefix
  ) -> CodeOrder {
    let buckets = starts.count - 1
    let largest = zip(starts, starts.dropFirst()).map { $1 - $0 }.max() ?? 0
    let chunks = chunks(of: starts)
    let repeats = WorkerSlots<[Int]>(chunks.count)
    let texts = TextPlaces(heap)
    nonisolated(unsafe) let entries = entries
    let numbers = [UInt32](unsafeUninitializedCapacity: entries.count) { buffer, count in
      nonisolated(unsafe) let numbers = buffer
      LargePages.advise(numbers)
      Parallel.forEach(chunks.count) { chunk, _ in
        var ties = TextTies(texts, skipped: prefix.skipped)
        BucketSort.with(capacity: largest, above: numberBits) { sort in
          for bucket in chunks[chunk] {
            let start = starts[bucket]
            guard let base = entries.baseAddress, starts[bucket + 1] > start else { continue }
            sort.sort(base + start, count: starts[bucket + 1] - start, bits: restBits) {
              let positions = start + $1.lowerBound..<start + $1.upperBound
              ties.write($0, positions, numberBits: numberBits, into: numbers)
            }
          }
        }
        repeats[chunk] = ties.repeats
        // The numbers take half of the memory that the entries did; so both are never there at once.
        let done = starts[chunks[chunk].lowerBound]..<starts[chunks[chunk].upperBound]
        LargePages.release(UnsafeMutableBufferPointer(rebasing: entries[done]))
      }
      count = starts[buckets]
    }
    return CodeOrder(codes: numbers, repeats: chunks.indices.flatMap { repeats[$0] ?? [] })
  }
}
