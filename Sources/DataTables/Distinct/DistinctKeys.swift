/// Counts the distinct keys of a column, without null.
///
/// The keys are scattered by their hashes over buckets that fit in the cache, and each bucket is
/// counted with a set. If a copy of all keys would need too much memory, the keys are counted in
/// several rounds. Each round processes a range of hashes and reuses the same memory.
struct DistinctKeys {
  private let keys: NumericKeys
  private let roundBits: Int
  private let bucketBits: Int

  /// The approximate number of keys that a round copies.
  static let keysPerRound = 8 << 20
  private static let keysPerBucket = 2_048
  /// With more buckets, writes are slow, because each bucket is in another part of memory.
  private static let maxBucketBits = 12

  init(_ keys: NumericKeys, keysPerRound: Int = keysPerRound) {
    self.keys = keys
    roundBits = Self.bits(of: (keys.count - 1) / keysPerRound)
    bucketBits = min(
      Self.maxBucketBits, max(1, Self.bits(of: (keys.count >> roundBits) / Self.keysPerBucket)))
  }

  /// - Complexity: O(rows).
  func count(cancellation: Cancellation) throws -> Int {
    guard !keys.isEmpty else { return 0 }
    let parts = Parallel.parts(of: keys.count)
    // Large enough for all keys; a round touches only the part that its keys need.
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
        // The next positions of the last part are now the ends of the buckets.
        count += self.count(in: memory, ends: offsets.part(parts - 1), sets)
      }
    }
    return count
  }

  // Inlined with its closure: no call per key.
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
      let set = sets.value(worker) { KeySet(capacity: 2 * Self.keysPerBucket) }
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

/// A set of keys by open addressing; the key of null marks a free slot. Not thread-safe: each
/// worker has its own.
private final class KeySet {
  private var slots: UnsafeMutableBufferPointer<UInt64>

  /// - Precondition: `capacity` is a power of two.
  init(capacity: Int) { slots = .allocate(capacity: capacity) }

  deinit { slots.deallocate() }

  @inline(__always) static func hash(_ key: UInt64) -> UInt64 { Hash.mix(key, 0) }

  /// The number of distinct keys among `keys`, which replace the previous content of the set.
  func count(_ keys: UnsafeBufferPointer<UInt64>) -> Int {
    slots.initialize(repeating: NumericColumn.null)
    var slots = slots
    var count = 0
    for key in keys {
      let slot = Self.slot(of: key, in: slots)
      guard slots[slot] != key else { continue }
      slots[slot] = key
      count += 1
      if count * 4 > slots.count * 3 {
        grow()
        slots = self.slots
      }
    }
    return count
  }

  /// The slot of the key, or the free slot where it belongs.
  @inline(__always)
  private static func slot(of key: UInt64, in slots: UnsafeMutableBufferPointer<UInt64>) -> Int {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash(key)) & mask
    while slots[slot] != key && slots[slot] != NumericColumn.null { slot = (slot &+ 1) & mask }
    return slot
  }

  private func grow() {
    let old = slots
    slots = .allocate(capacity: old.count * 2)
    slots.initialize(repeating: NumericColumn.null)
    for key in old where key != NumericColumn.null { slots[Self.slot(of: key, in: slots)] = key }
    old.deallocate()
  }
}
