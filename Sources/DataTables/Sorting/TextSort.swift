internal import CScan

/// Sorts texts by their bytes, without nulls, on all processors.
///
/// The top bits of the packed prefix of a text select its bucket; the buckets fit in the cache. The
/// entry of a text in its bucket is one number: the upper bits are the rest of the prefix, the
/// lower bits are the number of the text. Each bucket is then sorted by the rest of the prefix.
/// Only texts with equal packed prefixes are compared byte by byte.
struct TextSort {
  private let heap: TextHeap
  /// The blocks of each worker.
  private let parts: [Range<Int>]
  private let numberBits: Int

  /// More buckets need more cache lines and page table entries than a processor caches: writing to
  /// 2,048 buckets takes twice as long as writing to 1,024.
  private static let topBits = 10

  init(_ heap: TextHeap) {
    self.heap = heap
    numberBits = Int.bitWidth - max(1, heap.count - 1).leadingZeroBitCount
    parts = heap.blockRanges(Parallel.workers)
  }

  func sorted(cancellation: Cancellation) throws -> CodeOrder {
    let prefix = try PackedPrefix(
      of: heap, parts: parts, maxWidth: min(64, 64 - numberBits + Self.topBits),
      cancellation: cancellation)
    let top = min(Self.topBits, prefix.width)
    let (starts, nexts) = try counts(prefix, top: top, cancellation: cancellation)
    let memory = LargePages.allocate(UInt64.self, capacity: starts[1 << top])
    defer { memory.deallocate() }
    // Each worker writes to its own positions.
    nonisolated(unsafe) let entries = memory
    try Parallel.forEach(parts.count) { part, _ in
      guard var next = nexts[part] else { return }
      try next.withUnsafeMutableBufferPointer { next in
        try scatter(
          parts[part], prefix, top: top, to: next, of: entries, cancellation: cancellation)
      }
    }
    return sortBuckets(entries, starts: starts, restBits: prefix.width - top, prefix)
  }
}

// Distributes the entries over buckets.
extension TextSort {
  /// The start of each bucket, followed by the number of entries; and for each part, the position
  /// of its first entry in each bucket.
  private func counts(
    _ prefix: PackedPrefix, top: Int, cancellation: Cancellation
  ) throws -> (starts: [Int], nexts: WorkerSlots<[UInt32]>) {
    let counts = WorkerSlots<[UInt32]>(parts.count)
    try Parallel.forEach(parts.count) { part, _ in
      counts[part] = try bucketSizes(
        of: parts[part], prefix, top: top, cancellation: cancellation)
    }
    var starts: [Int] = []
    starts.reserveCapacity(1 << top + 1)
    var all = parts.indices.map { counts[$0] ?? [] }
    var sum: UInt32 = 0
    for bucket in 0..<1 << top {
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

  private func bucketSizes(
    of part: Range<Int>, _ prefix: PackedPrefix, top: Int, cancellation: Cancellation
  ) throws -> [UInt32] {
    let shift = UInt64(prefix.width - top)
    var sizes = [UInt32](repeating: 0, count: 1 << top)
    try sizes.withUnsafeMutableBufferPointer { sizes in
      try forEachRun(prefix, of: part, cancellation: cancellation) { packed, _ in
        for prefix in packed { sizes[Int(truncatingIfNeeded: prefix &>> shift)] &+= 1 }
      }
    }
    return sizes
  }

  /// Writes the entries of one part to their buckets.
  /// - Parameter next: for each bucket, the position of the next entry.
  private func scatter(
    _ part: Range<Int>, _ prefix: PackedPrefix, top: Int,
    to next: UnsafeMutableBufferPointer<UInt32>, of entries: UnsafeMutableBufferPointer<UInt64>,
    cancellation: Cancellation
  ) throws {
    let shift = UInt64(prefix.width - top)
    let restMask = (UInt64(1) << shift) &- 1
    let numberBits = UInt64(numberBits)
    try forEachRun(prefix, of: part, cancellation: cancellation) { packed, first in
      var number = first
      for prefix in packed {
        let bucket = Int(truncatingIfNeeded: prefix &>> shift)
        let position = next[bucket]
        entries[Int(position)] = (prefix & restMask) &<< numberBits | number
        next[bucket] = position &+ 1
        number &+= 1
      }
    }
  }

  /// Calls `body` with the packed prefixes of each run of texts without nulls in some blocks, and
  /// with the number of the first text of the run.
  @inline(__always)
  private func forEachRun(
    _ prefix: PackedPrefix, of part: Range<Int>, cancellation: Cancellation,
    _ body: (_ packed: UnsafeMutableBufferPointer<UInt64>, _ first: UInt64) -> Void
  ) throws {
    let kernels = ds_kernels_best().pointee
    let size = 1_024
    let packed = UnsafeMutablePointer<UInt64>.allocate(capacity: size)
    defer { packed.deallocate() }
    for index in part {
      try cancellation.check()
      let block = heap.blocks[index]
      for start in stride(from: 0, to: block.count, by: size) {
        let texts = start..<min(block.count, start + size)
        prefix.pack(texts, of: block, with: kernels, into: packed)
        var next = start
        while let run = block.run(from: next, below: texts.upperBound) {
          let packed = UnsafeMutableBufferPointer(
            start: packed + (run.lowerBound - start), count: run.count)
          body(packed, UInt64(truncatingIfNeeded: heap.starts[index] + run.lowerBound))
          next = run.upperBound
        }
      }
    }
  }
}

// Sorts the buckets.
extension TextSort {
  /// - Parameter starts: the start of each bucket, followed by the number of entries.
  private func sortBuckets(
    _ entries: UnsafeMutableBufferPointer<UInt64>, starts: [Int], restBits: Int,
    _ prefix: PackedPrefix
  ) -> CodeOrder {
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
        BucketSort.with(capacity: largest, lowBits: numberBits) { sort in
          write(entries, chunks[chunk], bits: restBits, with: sort, &ties, into: numbers)
        }
        repeats[chunk] = ties.repeats
        // The numbers need half as much memory as the entries. Releasing the entries here keeps all
        // entries and all numbers from being in memory together.
        let done = chunks[chunk][0]..<(chunks[chunk].last ?? 0)
        LargePages.release(UnsafeMutableBufferPointer(rebasing: entries[done]))
      }
      count = starts[starts.count - 1]
    }
    return CodeOrder(codes: numbers, repeats: chunks.indices.flatMap { repeats[$0] ?? [] })
  }

  /// Chunks of consecutive buckets for the workers: the start of each bucket, and the end of the
  /// last one. The chunks are small so that the workers finish at about the same time.
  private func chunks(of starts: [Int]) -> [[Int]] {
    let chunks = 32
    let count = starts[starts.count - 1]
    var bucket = 0
    let ends = (1...chunks).map { chunk in
      while starts[bucket] < count * chunk / chunks { bucket += 1 }
      return bucket
    }
    return zip([0] + ends, ends).filter { $0 < $1 }.map { Array(starts[$0...$1]) }
  }

  /// Sorts buckets and writes the numbers of their texts.
  private func write(
    _ entries: UnsafeMutableBufferPointer<UInt64>, _ starts: [Int], bits: Int,
    with sort: BucketSort, _ ties: inout TextTies,
    into numbers: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard let base = entries.baseAddress else { return }
    for (start, end) in zip(starts, starts.dropFirst()) where end > start {
      sort.sort(base + start, count: end - start, bits: bits) {
        let positions = start + $1.lowerBound..<start + $1.upperBound
        ties.write($0, positions, numberBits: numberBits, into: numbers)
      }
    }
  }
}
