/// Where the texts of a block lie among its bytes.
///
/// - Requires: the block outlives it.
struct TextBounds {
  /// Where the texts begin, and where the last one ends; nil where all of them have the same length,
  /// as hashes and other identifiers do.
  let offsets: UnsafePointer<UInt32>?
  /// The length of each, where there are no offsets.
  let length: Int

  @inline(__always)
  subscript(index: Int) -> (start: Int, count: Int) {
    guard let offsets else { return (index &* length, length) }
    let start = Int(offsets[index])
    return (start, Int(offsets[index &+ 1]) &- start)
  }
}
