/// The keys in the middle of a list: of an odd number of keys, the same key twice.
struct MiddleKeys {
  let low: UInt64
  let high: UInt64

  /// nil without keys.
  /// - Complexity: O(keys): selects by one byte of the keys at a time, the highest first.
  init?(of keys: [UInt64]) {
    guard !keys.isEmpty else { return nil }
    let low = Self.key(at: (keys.count - 1) / 2, among: keys)
    self.low = low
    if keys.count.isMultiple(of: 2) {
      var isEqual = 0
      var next = UInt64.max
      for key in keys {
        if key <= low { isEqual += 1 } else { next = min(next, key) }
      }
      high = isEqual > keys.count / 2 ? low : next
    } else {
      high = low
    }
  }

  /// The key that is at `position` in ascending order.
  private static func key(at position: Int, among keys: [UInt64]) -> UInt64 {
    var position = position
    var rest = keys
    for shift in stride(from: 56, through: 0, by: -8) where rest.count > 1 {
      var counts = [Int](repeating: 0, count: 256)
      for key in rest { counts[Int(key >> UInt64(shift) & 0xFF)] += 1 }
      var byte = 0
      while position >= counts[byte] {
        position -= counts[byte]
        byte += 1
      }
      if counts[byte] < rest.count {
        rest = rest.filter { Int($0 >> UInt64(shift) & 0xFF) == byte }
      }
    }
    return rest[0]
  }
}
