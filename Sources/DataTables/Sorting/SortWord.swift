/// Neighbouring levels of a sort, packed into one number a row.
struct SortWord {
  private var levels: [SortLevel] = []
  /// The numbers of the rows are below this; nil when they may have any 64 bits.
  private var bound: UInt64?

  /// The levels in as few words as they fit, the most significant first.
  static func packed(_ levels: [SortLevel]) -> [SortWord] {
    var words: [SortWord] = []
    for level in levels {
      switch level {
      case .keys: words.append(SortWord(levels: [level], bound: nil))
      case .ranks(_, _, let count):
        // One value only: it orders nothing.
        if count <= 1 { continue }
        if let bound = words.last?.bound {
          let (product, overflow) = bound.multipliedReportingOverflow(by: UInt64(count))
          if !overflow {
            words[words.count - 1].levels.append(level)
            words[words.count - 1].bound = product
            continue
          }
        }
        words.append(SortWord(levels: [level], bound: UInt64(count)))
      }
    }
    return words
  }

  /// `order`, stably sorted by the word.
  func sorted(_ order: RowOrder) -> [UInt32] {
    if let bound, bound <= 1 << 22, bound <= UInt64(max(order.count, 1_024)) * 2 {
      return countingSorted(order, buckets: Int(bound))
    }
    return radixSorted(order)
  }

  private func countingSorted(_ order: RowOrder, buckets: Int) -> [UInt32] {
    let parts = Parts(order.count)
    let numbers = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: order.count)
    defer { numbers.deallocate() }
    return [UInt32](unsafeUninitializedCapacity: order.count) { result, count in
      // A copy that closures may read while the buffer is written.
      let target = result
      BucketOffsets.with(buckets: buckets, parts: parts.count) { offsets in
        parts.forEach { part, range in
          number(order, range, into: numbers)
          let counts = offsets.part(part)
          for position in range { counts[Int(numbers[position])] &+= 1 }
        }
        offsets.accumulate()
        parts.forEach { part, range in
          Self.scatter(order, range, by: numbers, next: offsets.part(part), into: target)
        }
      }
      count = order.count
    }
  }

  private static func scatter(
    _ order: RowOrder, _ range: Range<Int>, by numbers: UnsafeMutableBufferPointer<UInt32>,
    next: UnsafeMutablePointer<UInt32>, into target: UnsafeMutableBufferPointer<UInt32>
  ) {
    switch order {
    case .natural:
      for position in range {
        let bucket = Int(numbers[position])
        target[Int(next[bucket])] = UInt32(truncatingIfNeeded: position)
        next[bucket] &+= 1
      }
    case .rows(let rows):
      rows.withUnsafeBufferPointer { rows in
        for position in range {
          let bucket = Int(numbers[position])
          target[Int(next[bucket])] = rows[position]
          next[bucket] &+= 1
        }
      }
    }
  }

  private func radixSorted(_ order: RowOrder) -> [UInt32] {
    let count = order.count
    let keys = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
    let entries = UnsafeMutableBufferPointer<KeyedIndex>.allocate(capacity: count)
    let scratch = UnsafeMutableBufferPointer<KeyedIndex>.allocate(capacity: count)
    defer {
      keys.deallocate()
      entries.deallocate()
      scratch.deallocate()
    }
    Parts(count).forEach { _, range in
      number(order, range, into: keys)
      for position in range {
        let index = UInt32(truncatingIfNeeded: position)
        entries[position] = KeyedIndex(key: keys[position], index: index)
      }
    }
    RadixSort.sort(entries, scratch: scratch)
    switch order {
    case .natural: return entries.map(\.index)
    case .rows(let rows): return entries.map { rows[Int($0.index)] }
    }
  }

  /// Writes the numbers of the rows at a range of positions.
  private func number<Number: FixedWidthInteger>(
    _ order: RowOrder, _ range: Range<Int>, into numbers: UnsafeMutableBufferPointer<Number>
  ) {
    for (index, level) in levels.enumerated() {
      level.add(order, range, to: numbers, isFirst: index == 0)
    }
  }
}
