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
  /// At `key + 1` what follows the value of the key; at 0 what a record begins with.
  private(set) var known = UnsafeMutablePointer<ds_json_separator>.allocate(capacity: 0)
  private(set) var count = 0

  func deallocate() { known.deallocate() }

  /// - Parameters:
  ///   - separator: from behind the value of `last`, or from the brace where that is -1, to the
  ///     value of `key`; found to be well-formed.
  mutating func note(_ separator: UnsafeRawBufferPointer, to key: Int, after last: Int) {
    var noted = ds_json_separator()
    let longest = MemoryLayout.size(ofValue: noted.bytes)
    // What an escape stands for must be looked at in every record.
    guard separator.count <= longest, !separator.contains(UInt8(ascii: "\\")) else { return }
    if max(last, key) + 1 >= count { grow(to: max(16, (max(last, key) + 2) * 2)) }
    noted.length = separator.count
    noted.key = key
    withUnsafeMutableBytes(of: &noted.bytes) { $0.copyMemory(from: separator) }
    known[last + 1] = noted
  }

  private mutating func grow(to count: Int) {
    let larger = UnsafeMutablePointer<ds_json_separator>.allocate(capacity: count)
    larger.initialize(from: known, count: self.count)
    (larger + self.count).initialize(
      repeating: ds_json_separator(), count: count - self.count)
    known.deallocate()
    known = larger
    self.count = count
  }
}
