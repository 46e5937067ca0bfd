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

  /// The index after whole blocks of bytes that do not leave the state.
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
      if any(leaves) { break }
      index &+= Self.size
    }
    return index
  }
}
