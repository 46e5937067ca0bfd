internal import CScan

/// What stood between the values of two keys the last time, and which key it led to.
///
/// Records mostly have the keys of the one before, in its order and written the same: bytes that are
/// what they were are well-formed as they were, so that one comparison stands for the comma, the
/// space, the key, the colon and again the space. Only what follows a value that has ended is looked
/// up, and it begins with a comma or a space: so it ends numbers too.
///
/// A view of memory that stays where it is until more is noted.
struct JSONSeparators {
  struct Match {
    /// The number of the key that follows.
    let key: Int
    /// Of the separator in bytes, up to the value of the key.
    let length: Int
  }

  private static let longest = 48

  /// At `key + 1` what follows the value of the key; at 0 what a record begins with.
  private(set) var slots = UnsafeMutablePointer<ds_separator>.allocate(capacity: 0)
  private(set) var capacity = 0

  func deallocate() { slots.deallocate() }

  /// - Parameters:
  ///   - separator: from behind the value of `last`, or from the brace where that is -1, to the
  ///     value of `key`; found to be well-formed.
  mutating func note(_ separator: UnsafeRawBufferPointer, to key: Int, after last: Int) {
    // What an escape stands for must be looked at in every record.
    guard separator.count <= Self.longest, !separator.contains(UInt8(ascii: "\\")) else { return }
    if max(last, key) + 1 >= capacity { grow(to: max(16, (max(last, key) + 2) * 2)) }
    var slot = ds_separator()
    slot.length = separator.count
    slot.key = key
    withUnsafeMutableBytes(of: &slot.bytes) { $0.copyMemory(from: separator) }
    slots[last + 1] = slot
  }

  /// What stands at `bytes`, when it is one of the two separators that are likely after `last`.
  ///
  /// - Precondition: a zero byte ends the text, and 16 bytes behind it can be read.
  @inline(__always)
  func match(_ bytes: UnsafePointer<UInt8>, after last: Int) -> Match? {
    guard last &+ 1 < capacity else { return nil }
    let slot = slots + (last &+ 1)
    if Self.isSlot(slot, at: bytes) {
      return Match(key: slot.pointee.key, length: slot.pointee.length)
    }
    // The key that mostly follows may be missing.
    let next = slots + (slot.pointee.key &+ 1)
    guard last >= 0, Self.isSlot(next, at: bytes) else { return nil }
    return Match(key: next.pointee.key, length: next.pointee.length)
  }

  @inline(__always)
  private static func isSlot(
    _ slot: UnsafeMutablePointer<ds_separator>, at bytes: UnsafePointer<UInt8>
  ) -> Bool {
    // The bytes are what a slot begins with.
    let known = UnsafeRawPointer(slot)
    let found = UnsafeRawPointer(bytes)
    var rest = slot.pointee.length
    var offset = 0
    guard rest > 0 else { return false }
    // A separator has no zero byte: none is found that is not all in the text.
    while true {
      let difference =
        found.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
        ^ known.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      if rest <= 8 { return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* rest) == 0 }
      if difference != 0 { return false }
      rest &-= 8
      offset &+= 8
    }
  }

  private mutating func grow(to capacity: Int) {
    let larger = UnsafeMutablePointer<ds_separator>.allocate(capacity: capacity)
    larger.initialize(from: slots, count: self.capacity)
    (larger + self.capacity).initialize(repeating: ds_separator(), count: capacity - self.capacity)
    slots.deallocate()
    slots = larger
    self.capacity = capacity
  }
}
