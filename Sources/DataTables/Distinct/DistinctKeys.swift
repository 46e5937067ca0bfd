/// Counts how many of the keys of a column differ, null apart.
///
/// The keys are scattered by their hashes over buckets that fit the cache, and a set of those of each
/// bucket tells how many there are. Where a copy of all keys would take much memory, a round looks at
/// some of the hashes only, and the next one uses its memory again.
struct DistinctKeys {
  private let keys: NumericKeys
  private let roundBits: Int
  private let bucketBits: Int

  /// How many keys are copied in a round, about.
  static let keysOfRound = 8 << 20
  private static let keysOfBucket = 2_048
  /// Memory is written to at so many places at once; at more it is slow.
  private static let mostBucketBits = 12

  init(_ keys: NumericKeys, keysOfRound: Int = keysOfRound) {
    self.keys = keys
    roundBits = Self.bits(of: (keys.count - 1) / keysOfRound)
    bucketBits = min(
      Self.mostBucketBits, max(1, Self.bits(of: (keys.count >> roundBits) / Self.keysOfBucket)))
  }

  /// - Complexity: O(rows).
  func count(cancellation: Cancellation) throws -> Int {
    guard !keys.isEmpty else { return 0 }
    let parts = Parallel.parts(of: keys.count)
    // Only as much of it is touched as a round needs.
    let memory = NumericKeyMemory(rows: keys.count)
    let sets = WorkerSlots<KeySet>(Parallel.workers)
    var count = 0
    for round in 0..<UInt64(1) << UInt64(roundBits) {
      try cancellation.check()
      BucketOffsets.with(buckets: 1 << bucketBits, parts: parts) { offsets in
        forEachKey(of: round) { part, bucket, _ in offsets.part(part)[bucket] &+= 1 }
        offsets.accumulate()
        let target = memory.keys
        forEachKey(of: round) { part, bucket, key in
          let next = offsets.part(part) + bucket
          target[Int(next.pointee)] = key
          next.pointee &+= 1
        }
        // Where the last part would go on is where the bucket ends.
        count += self.count(in: memory, ends: offsets.part(parts - 1), sets)
      }
    }
    return count
  }

  // Inlined with its closure: no call a key.
  @inline(__always)
  private func forEachKey(
    of round: UInt64, _ body: (_ part: Int, _ bucket: Int, _ key: UInt64) -> Void
  ) {
    let shift = UInt64(UInt64.bitWidth - roundBits - bucketBits)
    let first = round << UInt64(bucketBits)
    let buckets = UInt64(1) << UInt64(bucketBits)
    keys.withUnsafeBufferPointer { keys in
      Parallel.forEachPart(of: keys.count) { part, rows in
        for row in rows {
          let key = keys[row]
          let bucket = (KeySet.hash(key) &>> shift) &- first
          if bucket < buckets, key != NumericColumn.null {
            body(part, Int(truncatingIfNeeded: bucket), key)
          }
        }
      }
    }
  }

  private func count(
    in memory: NumericKeyMemory, ends: UnsafeMutablePointer<UInt32>, _ sets: WorkerSlots<KeySet>
  ) -> Int {
    let buckets = 1 << bucketBits
    let pieces = min(64, buckets)
    let counts = WorkerSlots<Int>(pieces)
    nonisolated(unsafe) let ends = ends
    Parallel.forEach(pieces) { piece, worker in
      let set = sets.value(worker) { KeySet(capacity: 2 * Self.keysOfBucket) }
      var count = 0
      for bucket in buckets * piece / pieces..<buckets * (piece + 1) / pieces {
        let start = bucket == 0 ? 0 : Int(ends[bucket - 1])
        count += set.count(UnsafeBufferPointer(rebasing: memory.keys[start..<Int(ends[bucket])]))
      }
      counts[piece] = count
    }
    return (0..<pieces).reduce(0) { $0 + (counts[$1] ?? 0) }
  }

  private static func bits(of number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }
}

/// Keys, none of them null's, by open addressing. Not thread-safe; each worker has its own.
private final class KeySet {
  private var slots: UnsafeMutableBufferPointer<UInt64>

  /// - Precondition: `capacity` is a power of two.
  init(capacity: Int) { slots = .allocate(capacity: capacity) }

  deinit { slots.deallocate() }

  @inline(__always) static func hash(_ key: UInt64) -> UInt64 { Hash.mix(key, 0) }

  /// How many of these differ. What was in the set before is forgotten.
  func count(_ keys: UnsafeBufferPointer<UInt64>) -> Int {
    slots.initialize(repeating: NumericColumn.null)
    var slots = slots
    var count = 0
    for key in keys {
      let place = Self.place(of: key, in: slots)
      guard slots[place] != key else { continue }
      slots[place] = key
      count += 1
      if count * 4 > slots.count * 3 {
        grow()
        slots = self.slots
      }
    }
    return count
  }

  /// Where the key is, or would be.
  @inline(__always)
  private static func place(of key: UInt64, in slots: UnsafeMutableBufferPointer<UInt64>) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash(key)) & mask
    while slots[place] != key && slots[place] != NumericColumn.null { place = (place &+ 1) & mask }
    return place
  }

  private func grow() {
    let old = slots
    slots = .allocate(capacity: old.count * 2)
    slots.initialize(repeating: NumericColumn.null)
    for key in old where key != NumericColumn.null { slots[Self.place(of: key, in: slots)] = key }
    old.deallocate()
  }
}
