/// The keys of all rows of a content, in the order of the rows.
struct KeyOrder: Sendable {
  private let keys: [Int64]

  init(_ keys: [Int64]) { self.keys = keys }

  /// - Precondition: a position of a row.
  subscript(position: Int) -> Int64 { keys[position] }

  /// The positions of the rows with some keys, as far as they exist.
  /// - Complexity: O(all keys), about 1 ms for a million.
  func positions(of wanted: [Int64]) -> [Int64: Int] {
    let set = Set(wanted)
    var filter = KeyFilter()
    for key in set { filter.insert(key) }
    var positions: [Int64: Int] = [:]
    keys.withUnsafeBufferPointer { keys in
      for (position, key) in keys.enumerated() where filter.mayContain(key) {
        if set.contains(key) { positions[key] = position }
      }
    }
    return positions
  }

  /// The order after some rows were removed and others were added.
  ///
  /// - Parameters:
  ///   - removed: positions in this order.
  ///   - added: keys with their positions in the new order.
  ///   - count: the number of rows of the new order.
  /// - Returns: nil if no order of `count` rows has the added keys at their positions.
  /// - Complexity: O(all keys), as fast as copying them.
  func replacing(_ removed: some Collection<Int>, by added: [Int64: Int], count: Int) -> KeyOrder? {
    var removed = removed.sorted()[...]
    var result: [Int64] = []
    result.reserveCapacity(count)
    var next = 0
    func copy(until end: Int) {
      while result.count < end, next < keys.count {
        let gap = removed.first ?? keys.count
        let kept = min(end - result.count, gap - next)
        result += keys[next..<next + kept]
        next += kept
        if next == gap, removed.popFirst() != nil { next += 1 }
      }
    }
    for (key, position) in added.sorted(by: { $0.value < $1.value }) {
      copy(until: position)
      guard result.count == position else { return nil }
      result.append(key)
    }
    copy(until: count)
    guard result.count == count, keys.count - next == removed.count else { return nil }
    return KeyOrder(result)
  }
}

/// A set of keys that may contain further ones (a Bloom filter with one hash).
private struct KeyFilter {
  /// 65,536 bits.
  private var words = [UInt64](repeating: 0, count: 1024)

  private static func bit(of key: Int64) -> (word: Int, mask: UInt64) {
    let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return (Int(hash >> 54), 1 << (hash >> 48 & 63))
  }

  mutating func insert(_ key: Int64) {
    let (word, mask) = Self.bit(of: key)
    words[word] |= mask
  }

  func mayContain(_ key: Int64) -> Bool {
    let (word, mask) = Self.bit(of: key)
    return words[word] & mask != 0
  }
}
