/// A set of rows of a table, one bit per row.
struct RowMask: Sendable {
  /// Bits after the last row are 0.
  private(set) var words: [UInt64]
  let count: Int

  /// - Precondition: `words` has room for `count` rows, and the bits after the last row are 0.
  private init(words: [UInt64], count: Int) {
    self.words = words
    self.count = count
  }

  init(none count: Int) {
    self.init(words: [UInt64](repeating: 0, count: (count + 63) / 64), count: count)
  }

  init(all count: Int) {
    self.init(words: [UInt64](repeating: .max, count: (count + 63) / 64), count: count)
    if count % 64 > 0 { words[count / 64] = 1 << UInt64(count % 64) - 1 }
  }

  /// The rows of an order, in a table of `count` rows.
  init(_ order: RowOrder, of count: Int) {
    switch order {
    case .natural(count): self.init(all: count)
    case .natural, .rows:
      self.init(none: count)
      for position in 0..<order.count { insert(order[position]) }
    }
  }

  /// Some rows of a table of `count` rows.
  init(_ rows: [Int], of count: Int) {
    self.init(none: count)
    for row in rows { insert(row) }
  }

  mutating func insert(_ row: Int) { words[row / 64] |= 1 << UInt64(row % 64) }

  func contains(_ row: Int) -> Bool { words[row / 64] >> UInt64(row % 64) & 1 == 1 }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  mutating func formUnion(_ other: RowMask) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  mutating func formIntersection(_ other: RowMask) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func subtract(_ other: RowMask) {
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  /// The rows of the mask whose bits are in the words at `range`, ascending.
  func rows(in range: Range<Int>) -> [Int] {
    var rows: [Int] = []
    for index in range {
      var word = words[index]
      while word != 0 {
        rows.append(index * 64 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
    return rows
  }
}

extension RowMask {
  /// A mask that all processors compute, word by word.
  /// - Parameter word: returns the bits of up to 64 rows, the first row in the lowest bit.
  // Inlined with its closure: no call per row.
  @inline(__always)
  static func filled(
    _ count: Int, cancellation: Cancellation,
    word: @Sendable (_ rows: Range<Int>) throws -> UInt64
  ) throws -> RowMask {
    let all = (count + 63) / 64
    let size = 1_024
    let pieces = (all + size - 1) / size
    let slots = WorkerSlots<[UInt64]>(pieces)
    try withoutActuallyEscaping(word) { word in
      try Parallel.forEach(pieces) { piece, _ in
        try cancellation.check()
        let range = piece * size..<min(all, (piece + 1) * size)
        var words: [UInt64] = []
        words.reserveCapacity(range.count)
        for index in range { words.append(try word(index * 64..<min(count, index * 64 + 64))) }
        slots[piece] = words
      }
    }
    var words: [UInt64] = []
    words.reserveCapacity(all)
    for piece in 0..<pieces { words += slots[piece] ?? [] }
    return RowMask(words: words, count: count)
  }
}
