/// A set of rows in ascending order.
struct RankedMask: Sendable {
  let mask: RowMask
  let count: Int
  /// The number of rows before each block of words.
  private let ranks: [Int]

  private static let wordsPerBlock = 64

  init(_ mask: RowMask) {
    self.mask = mask
    var ranks: [Int] = []
    var count = 0
    for (index, word) in mask.words.enumerated() {
      if index % Self.wordsPerBlock == 0 { ranks.append(count) }
      count += word.nonzeroBitCount
    }
    self.ranks = ranks
    self.count = count
  }

  /// The rows, ascending.
  func listed() -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      nonisolated(unsafe) let rows = buffer
      LargePages.advise(rows)
      Parallel.forEachPart(of: count) { _, positions in
        forEachRow(at: positions) { index, row in
          rows.initializeElement(at: positions.lowerBound + index, to: row)
        }
      }
      initialized = count
    }
  }

  /// Calls `body` with the row at each of `positions`, and with its index from the first of them.
  // Inlined with its closure: no call per row.
  @inline(__always)
  func forEachRow(at positions: Range<Int>, _ body: (_ index: Int, _ row: UInt32) -> Void) {
    guard !positions.isEmpty else { return }
    mask.words.withUnsafeBufferPointer { words in
      var (index, bits) = place(of: positions.lowerBound)
      var position = 0
      while position < positions.count {
        while bits == 0 {
          index += 1
          bits = words[index]
        }
        let first = UInt32(truncatingIfNeeded: index << 6)
        // Most filters keep most rows.
        if bits == .max, positions.count - position >= 64 {
          for bit in 0..<64 { body(position + bit, first | UInt32(truncatingIfNeeded: bit)) }
          position += 64
          bits = 0
        } else {
          body(position, first | UInt32(truncatingIfNeeded: bits.trailingZeroBitCount))
          position += 1
          bits &= bits &- 1
        }
      }
    }
  }

  /// The word of the row at a position, and its bits from that row on.
  private func place(of position: Int) -> (index: Int, bits: UInt64) {
    let block = ranks.partitionPoint { $0 > position } - 1
    var rest = position - ranks[block]
    var index = block * Self.wordsPerBlock
    while rest >= mask.words[index].nonzeroBitCount {
      rest -= mask.words[index].nonzeroBitCount
      index += 1
    }
    var bits = mask.words[index]
    for _ in 0..<rest { bits &= bits &- 1 }
    return (index, bits)
  }
}
