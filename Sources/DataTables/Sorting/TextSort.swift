/// Sorts texts by their bytes, nulls left out, on all processors.
///
/// The bits that differ in the first bytes are packed into one number with the number of the text;
/// the top bits scatter these over buckets that fit the cache, which are then sorted one by one. Only
/// texts that are the same so far are looked at again.
struct TextSort {
  private let heap: TextHeap
  /// Blocks that one worker takes.
  private let parts: [Range<Int>]
  private let numberBits: Int

  private static let topBits = 12

  init(_ heap: TextHeap) {
    self.heap = heap
    numberBits = Int.bitWidth - max(1, heap.count - 1).leadingZeroBitCount
    let workers = Parallel.workers
    let blocks = heap.blocks.count
    parts = (0..<workers).map { blocks * $0 / workers..<blocks * ($0 + 1) / workers }
  }

  func sorted(cancellation: Cancellation) throws -> CodeOrder {
    let prefix = try prefix(cancellation: cancellation)
    let top = min(Self.topBits, prefix.width)
    let counts = try counts(prefix, top: top, cancellation: cancellation)
    let total = counts.starts[counts.starts.count - 1]
    let memory = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: max(1, total))
    defer { memory.deallocate() }
    LargePages.advise(memory)
    // Each worker writes places of its own.
    nonisolated(unsafe) let entries = memory
    try scatter(prefix, top: top, counts: counts, into: entries, cancellation: cancellation)
    return sortBuckets(entries, starts: counts.starts, restBits: prefix.width - top, prefix)
  }
}

// MARK: Passes over the texts

extension TextSort {
  /// Calls `body` with the texts of some blocks: the block, the text's number, start and length.
  @inline(__always)
  private func forEachText(
    of part: Range<Int>, _ body: (UInt64, UnsafePointer<UInt8>, Int) -> Void
  ) {
    for place in part {
      let block = heap.blocks[place]
      let nulls = block.nulls
      let first = heap.starts[place]
      let bytes = block.bytes
      let offsets = block.offsets
      var start = Int(offsets[0])
      for index in 0..<block.count {
        let end = Int(offsets[index &+ 1])
        if !nulls.isSet(index) {
          body(UInt64(truncatingIfNeeded: first &+ index), bytes + start, end &- start)
        }
        start = end
      }
    }
  }

  private func prefix(cancellation: Cancellation) throws -> PackedPrefix {
    let skipped = try commonPrefix(cancellation: cancellation)
    let found = WorkerSlots<PackedPrefix.Varying>(parts.count)
    try Parallel.forEach(parts.count) { part, _ in
      try cancellation.check()
      var varying = PackedPrefix.Varying()
      forEachText(of: parts[part]) { _, text, length in
        varying.add(PackedPrefix.words(text + skipped, length: length &- skipped))
      }
      found[part] = varying
    }
    var varying = PackedPrefix.Varying()
    for part in parts.indices { found[part].map { varying.add($0) } }
    return PackedPrefix(
      varying, skipped: skipped, most: min(64, 64 - numberBits + Self.topBits))
  }

  /// The number of bytes that all texts begin with.
  private func commonPrefix(cancellation: Cancellation) throws -> Int {
    let found = WorkerSlots<Int>(parts.count)
    // The first text that is there, to hold the others against.
    var model: UnsafeRawBufferPointer?
    for block in heap.blocks where model == nil {
      model = (0..<block.count).first { !block.isNull($0) }.map { block.text($0) }
    }
    guard let model, let base = model.baseAddress else { return 0 }
    nonisolated(unsafe) let first = base.assumingMemoryBound(to: UInt8.self)
    let modelLength = model.count
    try Parallel.forEach(parts.count) { part, _ in
      try cancellation.check()
      var common = modelLength
      forEachText(of: parts[part]) { _, text, length in
        common = TextPlaces.commonPrefix(text, first, from: 0, most: min(common, length))
      }
      found[part] = common
    }
    return parts.indices.compactMap { found[$0] }.min() ?? 0
  }

  /// Where the entries of each bucket begin, and where each part puts its first one of each.
  private struct Counts {
    var starts: [Int]
    let places: WorkerSlots<[Int]>
  }

  private func counts(
    _ prefix: PackedPrefix, top: Int, cancellation: Cancellation
  ) throws -> Counts {
    let buckets = 1 << top
    let shift = UInt64(prefix.width - top)
    let counts = WorkerSlots<[Int]>(parts.count)
    try Parallel.forEach(parts.count) { part, _ in
      try cancellation.check()
      var own = [Int](repeating: 0, count: buckets)
      own.withUnsafeMutableBufferPointer { own in
        prefix.withPacker { pack in
          forEachText(of: parts[part]) { _, text, length in
            let packed = pack(text, length: length)
            own[Int(truncatingIfNeeded: packed >> shift)] &+= 1
          }
        }
      }
      counts[part] = own
    }
    var starts: [Int] = []
    starts.reserveCapacity(buckets + 1)
    var all = parts.indices.map { counts[$0] ?? [] }
    var sum = 0
    for bucket in 0..<buckets {
      starts.append(sum)
      for part in all.indices {
        let count = all[part][bucket]
        all[part][bucket] = sum
        sum += count
      }
    }
    starts.append(sum)
    for part in parts.indices { counts[part] = all[part] }
    return Counts(starts: starts, places: counts)
  }

  private func scatter(
    _ prefix: PackedPrefix, top: Int, counts: Counts,
    into entries: UnsafeMutableBufferPointer<UInt64>, cancellation: Cancellation
  ) throws {
    let shift = UInt64(prefix.width - top)
    let restMask = (UInt64(1) << shift) &- 1
    let numberBits = UInt64(numberBits)
    nonisolated(unsafe) let entries = entries
    try Parallel.forEach(parts.count) { part, _ in
      try cancellation.check()
      guard var next = counts.places[part] else { return }
      next.withUnsafeMutableBufferPointer { next in
        prefix.withPacker { pack in
          forEachText(of: parts[part]) { number, text, length in
            let packed = pack(text, length: length)
            let bucket = Int(truncatingIfNeeded: packed >> shift)
            entries[next[bucket]] = (packed & restMask) << numberBits | number
            next[bucket] &+= 1
          }
        }
      }
    }
  }
}

// MARK: Buckets

extension TextSort {
  private func sortBuckets(
    _ entries: UnsafeMutableBufferPointer<UInt64>, starts: [Int], restBits: Int,
    _ prefix: PackedPrefix
  ) -> CodeOrder {
    let buckets = starts.count - 1
    let chunks = min(64, buckets)
    let repeats = WorkerSlots<[Int]>(chunks)
    let texts = TextPlaces(heap)
    nonisolated(unsafe) let entries = entries
    let numbers = [UInt32](unsafeUninitializedCapacity: entries.count) { buffer, count in
      nonisolated(unsafe) let numbers = buffer
      LargePages.advise(numbers)
      Parallel.forEach(chunks) { chunk, _ in
        var ties = TextTies(texts, skipped: prefix.skipped)
        for bucket in buckets * chunk / chunks..<buckets * (chunk + 1) / chunks {
          let range = starts[bucket]..<starts[bucket + 1]
          guard let base = entries.baseAddress, !range.isEmpty else { continue }
          BucketSort.sort(
            base + range.lowerBound, count: range.count, bits: restBits, above: numberBits)
          ties.write(
            base + range.lowerBound, range, numberBits: numberBits, into: numbers)
        }
        repeats[chunk] = ties.repeats
      }
      count = starts[buckets]
    }
    return CodeOrder(codes: numbers, repeats: (0..<chunks).flatMap { repeats[$0] ?? [] })
  }
}
