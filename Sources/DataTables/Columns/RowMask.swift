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
    if case .natural(count) = order {
      self.init(all: count)
    } else if case .deferred(let rows) = order, let mask = rows.mask?.mask, mask.count == count {
      self = mask
    } else {
      self.init(none: count)
      (order.knownRows ?? order).forEachRow(at: 0..<order.count) { _, row in insert(Int(row)) }
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
    try withoutActuallyEscaping(word) { word in
      try filledInPieces(count, cancellation: cancellation) { rows, _ in
        var words: [UInt64] = []
        words.reserveCapacity((rows.count + 63) / 64)
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: 64) {
          words.append(try word(start..<min(rows.upperBound, start + 64)))
        }
        return words
      }
    }
  }

  /// A mask that all processors compute, in pieces of some thousand rows.
  /// - Parameter words: returns the bits of the rows, 64 in each word. The first row of a piece is a
  ///   multiple of 64. The worker is a number below ``Parallel/workers``.
  static func filledInPieces(
    _ count: Int, cancellation: Cancellation,
    words: @Sendable (_ rows: Range<Int>, _ worker: Int) throws -> [UInt64]
  ) throws -> RowMask {
    let size = 1 << 16
    let pieces = (count + size - 1) / size
    let slots = WorkerSlots<[UInt64]>(pieces)
    try withoutActuallyEscaping(words) { words in
      try Parallel.forEach(pieces) { piece, worker in
        try cancellation.check()
        slots[piece] = try words(piece * size..<min(count, (piece + 1) * size), worker)
      }
    }
    var all: [UInt64] = []
    all.reserveCapacity((count + 63) / 64)
    for piece in 0..<pieces { all += slots[piece] ?? [] }
    return RowMask(words: all, count: count)
  }

  /// The number of rows.
  var population: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The rows that are not in the mask.
  var inverse: RowMask {
    var inverse = RowMask(all: count)
    inverse.subtract(self)
    return inverse
  }

  /// For each row, 1 if it is in the mask, else 0.
  var flags: [UInt8] { (0..<count).map { contains($0) ? 1 : 0 } }
}
