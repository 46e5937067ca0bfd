/// A hash table of numbers that identify values stored elsewhere: open addressing with four bytes
/// per slot.
struct HashSlots: Sendable {
  /// The number plus one; 0 for a free slot.
  private var slots = [UInt32](repeating: 0, count: 1 << 6)
  private(set) var count = 0

  /// The slot of the number that `isMatch` accepts, or the free slot where it belongs.
  @inline(__always)
  func place(of hash: UInt64, _ isMatch: (_ number: Int) -> Bool) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0, !isMatch(Int(slots[place] &- 1)) { place = (place &+ 1) & mask }
    return place
  }

  /// The number in a slot; nil for a free one.
  @inline(__always)
  subscript(place: Int) -> Int? {
    let number = slots[place]
    return number == 0 ? nil : Int(number &- 1)
  }

  /// Replaces the number in a slot with the number of an equal value.
  @inline(__always)
  mutating func replace(at place: Int, with number: Int) {
    slots[place] = UInt32(truncatingIfNeeded: number &+ 1)
  }

  /// Fills a free slot.
  /// - Parameter hash: returns the hash of a number; called for every number when the table grows.
  @inline(__always)
  mutating func insert(_ number: Int, at place: Int, hash: (_ number: Int) -> UInt64) {
    replace(at: place, with: number)
    count &+= 1
    if count &* 2 > slots.count { grow(hash) }
  }

  private mutating func grow(_ hash: (_ number: Int) -> UInt64) {
    let old = slots
    // A small table grows in large steps, a large table in small ones, because the last step
    // determines how much memory is unused.
    slots = [UInt32](repeating: 0, count: old.count * (old.count < 1 << 16 ? 8 : 2))
    for slot in old where slot != 0 {
      let number = Int(slot &- 1)
      replace(at: place(of: hash(number)) { _ in false }, with: number)
    }
  }
}

/// Hash functions based on multiplication, with the same results in every process.
enum Hash {
  @inline(__always)
  static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: right ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }

  /// The hash of some bytes. Does not read past their end.
  @inline(__always)
  static func bytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    guard bytes.count >= 8 else {
      var word: UInt64 = 0
      for byte in bytes { word = word << 8 | UInt64(byte) }
      return mix(hash, word)
    }
    var offset = 0
    while offset &+ 8 <= bytes.count {
      hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    // The last eight bytes, overlapping earlier ones.
    return mix(hash, bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self))
  }
}
