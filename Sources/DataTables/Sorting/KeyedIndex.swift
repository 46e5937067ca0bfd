/// An index with the key it is sorted by.
struct KeyedIndex {
  var key: UInt64
  var index: UInt32

  /// Sorts by key, stably for entries whose indexes ascend.
  static func sort(_ entries: inout [KeyedIndex]) {
    // Below this the passes over all digits cost more than comparing.
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
}
