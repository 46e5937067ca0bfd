/// Assigns consecutive numbers from 0 to distinct 64-bit keys, in the order of first appearance.
///
/// It uses open addressing: a `Dictionary` costs several times as much for a million keys.
struct KeyNumbers {
  private(set) var count: UInt32 = 0
  private var keys: [UInt64]
  /// For each slot, the number of its key plus one; 0 for a free slot.
  private var numbers: [UInt32]

  /// - Parameter capacity: the expected number of distinct keys.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    keys = [UInt64](repeating: 0, count: size)
    numbers = [UInt32](repeating: 0, count: size)
  }

  /// The number of a key; a key that was not seen before gets the next number.
  mutating func number(of key: UInt64) -> UInt32 {
    let mask = keys.count &- 1
    var slot = Self.hash(key) & mask
    while numbers[slot] != 0 {
      if keys[slot] == key { return numbers[slot] &- 1 }
      slot = (slot &+ 1) & mask
    }
    keys[slot] = key
    count += 1
    numbers[slot] = count
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
      var slot = Self.hash(key) & mask
      while numbers[slot] != 0 { slot = (slot + 1) & mask }
      keys[slot] = key
      numbers[slot] = number
    }
  }

  @inline(__always)
  private static func hash(_ key: UInt64) -> Int {
    let product = (key ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}

/// Assigns consecutive numbers from 0 to values, in the order of first appearance. Equal values
/// share a number.
struct ValueNumbers {
  private var numbers: [Value: UInt32] = [:]

  /// - Parameter capacity: the expected number of distinct values.
  init(capacity: Int = 0) { numbers.reserveCapacity(capacity) }

  var count: Int { numbers.count }

  /// The number of a value; a value that equals no earlier value gets the next number.
  mutating func number(of value: Value) -> UInt32 {
    let next = UInt32(truncatingIfNeeded: numbers.count)
    return Self.known(&numbers[value], else: next)
  }

  // Changes the entry through `inout`, so that the value is hashed only once.
  private static func known(_ number: inout UInt32?, else next: UInt32) -> UInt32 {
    if let number { return number }
    number = next
    return next
  }
}
