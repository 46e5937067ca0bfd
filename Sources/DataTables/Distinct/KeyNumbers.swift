/// Distinct 64-bit keys, numbered in the order in which they first come.
///
/// Open addressing: a `Dictionary` costs several times as much for a million keys.
struct KeyNumbers {
  private(set) var count: UInt32 = 0
  private var keys: [UInt64]
  /// The number plus one; 0 for a free slot.
  private var numbers: [UInt32]

  /// - Parameter capacity: how many different keys are expected.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    keys = [UInt64](repeating: 0, count: size)
    numbers = [UInt32](repeating: 0, count: size)
  }

  /// The number of a key, which is new when it was not met before.
  mutating func number(of key: UInt64) -> UInt32 {
    let mask = keys.count &- 1
    var place = Self.hash(key) & mask
    while numbers[place] != 0 {
      if keys[place] == key { return numbers[place] &- 1 }
      place = (place &+ 1) & mask
    }
    keys[place] = key
    count += 1
    numbers[place] = count
    let number = count &- 1
    if Int(count) * 2 > keys.count { grow() }
    return number
  }

  private mutating func grow() {
    let old = (keys: keys, numbers: numbers)
    let mask = old.keys.count * 2 - 1
    keys = [UInt64](repeating: 0, count: mask + 1)
    numbers = [UInt32](repeating: 0, count: mask + 1)
    for (key, number) in zip(old.keys, old.numbers) where number != 0 {
      var place = Self.hash(key) & mask
      while numbers[place] != 0 { place = (place + 1) & mask }
      keys[place] = key
      numbers[place] = number
    }
  }

  @inline(__always)
  private static func hash(_ key: UInt64) -> Int {
    let product = (key ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}
