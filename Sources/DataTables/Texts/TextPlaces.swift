/// Locations of the texts of a heap, for loops that access them in random order: without retaining
/// blocks, and by a lookup instead of a search.
///
/// - Requires: the heap outlives it.
struct TextPlaces: @unchecked Sendable {
  // Unchecked `Sendable` is safe: the memory that is pointed to does not change.
  private let blocks: [(start: Int, bytes: UnsafePointer<UInt8>, bounds: TextBounds)]
  /// By the number of a text without its lowest bits, the block of the first such text.
  private let hints: [UInt32]

  private static let hintBits = 10

  init(_ heap: TextHeap) {
    var hints: [UInt32] = []
    for (place, end) in heap.starts.dropFirst().enumerated() {
      while hints.count << Self.hintBits < end { hints.append(UInt32(place)) }
    }
    self.hints = hints
    blocks = zip(heap.blocks, heap.starts).map { ($1, $0.bytes, $0.bounds) }
  }

  @inline(__always)
  func text(_ number: UInt32) -> (start: UnsafePointer<UInt8>, count: Int) {
    let number = Int(number)
    var place = Int(hints[number >> Self.hintBits])
    while place &+ 1 < blocks.count, blocks[place &+ 1].start <= number { place &+= 1 }
    let block = blocks[place]
    let (start, count) = block.bounds[number &- block.start]
    return (block.bytes + start, count)
  }

  /// The length of the longest common prefix of two texts, at most `most`.
  /// - Parameter known: the number of leading bytes known to be equal.
  /// - Precondition: both have at least `most` bytes.
  @inline(__always)
  static func commonPrefix(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, from known: Int, upTo limit: Int
  ) -> Int {
    var index = known
    let left = UnsafeRawPointer(left)
    let right = UnsafeRawPointer(right)
    // Padding after the last text of a block makes the wide loads safe.
    while index < limit {
      let difference =
        left.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
        ^ right.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      if difference != 0 { return min(limit, index &+ difference.trailingZeroBitCount / 8) }
      index &+= 8
    }
    return limit
  }
}
