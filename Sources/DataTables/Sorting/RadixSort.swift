/// A stable sort of keys by their digits, the least significant first.
enum RadixSort {
  private static let bits = 11
  private static let buckets = 1 << bits

  /// Sorts `entries` by key; `scratch` is as long and is left in any state.
  static func sort(
    _ entries: UnsafeMutableBufferPointer<KeyedIndex>,
    scratch: UnsafeMutableBufferPointer<KeyedIndex>
  ) {
    var source = entries
    var target = scratch
    let varying = varyingBits(entries)
    for shift in stride(from: UInt64(0), to: 64, by: bits) {
      // A digit that is the same everywhere needs no pass.
      if (varying >> shift) & UInt64(buckets - 1) == 0 { continue }
      pass(from: source, to: target, shift: shift)
      swap(&source, &target)
    }
    if source.baseAddress != entries.baseAddress { _ = entries.update(from: source) }
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
    let parts = Parts(source.count)
    let mask = UInt64(buckets - 1)
    BucketOffsets.with(buckets: buckets, parts: parts.count) { offsets in
      parts.forEach { part, range in
        let counts = offsets.part(part)
        for position in range {
          counts[Int(truncatingIfNeeded: (source[position].key >> shift) & mask)] &+= 1
        }
      }
      offsets.accumulate()
      parts.forEach { part, range in
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
