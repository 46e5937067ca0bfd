/// The addresses of the texts of a heap, for loops that access them in random order: an access
/// retains no block, and a table of hints replaces the binary search.
///
/// Unchecked `Sendable` is safe: the memory at the addresses does not change.
///
/// - Requires: the heap outlives this value.
struct TextPlaces: @unchecked Sendable {
  private let blocks: [(start: Int, bytes: UnsafePointer<UInt8>, bounds: TextBounds)]
  /// Indexed by the number of a text without its lowest ``hintBits`` bits. Each element is the
  /// block of the first text that has this index.
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

  /// The length of the longest common prefix of two texts, at most `limit`.
  /// - Parameter known: the number of leading bytes known to be equal.
  /// - Precondition: both have at least `limit` bytes.
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
