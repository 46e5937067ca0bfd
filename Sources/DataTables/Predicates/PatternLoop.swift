/// A state of a pattern that most bytes leave as it is, as in `.*` and `[^"]*`: such bytes are skipped
/// in blocks.
struct PatternLoop {
  /// The bytes of a block.
  static let size = 16
  /// The bytes that may be skipped: printable ASCII.
  static let bytes: ClosedRange<UInt8> = 0x20...0x7E

  /// Whether at most three of the bytes leave the state.
  let isUseful: Bool
  private let exits: (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)

  /// - Parameter exits: the bytes of ``bytes`` that leave the state.
  init(exits: [UInt8]) {
    isUseful = exits.count <= 3
    // 0 is not among the bytes that are skipped anyway.
    func exit(_ index: Int) -> SIMD16<UInt8> {
      SIMD16(repeating: index < exits.count ? exits[index] : 0)
    }
    self.exits = (exit(0), exit(1), exit(2))
  }

  /// The index of the first byte that may leave the state; in the last bytes, which are less than a
  /// block, the index of the first of these.
  func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return index }
    let first = SIMD16(repeating: Self.bytes.lowerBound)
    let count = SIMD16(repeating: UInt8(Self.bytes.count))
    while index &+ Self.size <= bytes.count {
      let block = (base + index).loadUnaligned(as: SIMD16<UInt8>.self)
      let leaves =
        (block &- first .>= count) .| (block .== exits.0) .| (block .== exits.1)
        .| (block .== exits.2)
      let marks = SIMD16<UInt8>(repeating: 0).replacing(with: 0xFF, where: leaves)
      let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
      let (low, high) = (words[0].littleEndian, words[1].littleEndian)
      if low != 0 { return index &+ low.trailingZeroBitCount / 8 }
      if high != 0 { return index &+ 8 &+ high.trailingZeroBitCount / 8 }
      index &+= Self.size
    }
    return index
  }
}
