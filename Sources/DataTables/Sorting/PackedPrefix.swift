/// The first bytes of texts, packed into few bits that ascend as the bytes do.
///
/// Bits that are the same in all texts are left out, so that 64 bits hold ten and more characters of
/// digits, letters or hexadecimal numbers.
struct PackedPrefix: Sendable {
  /// The number of bytes that all texts begin with.
  let skipped: Int
  /// How many bits there are.
  let width: Int
  /// The bytes that count, most significant first: their places, and the bits of each of their 256
  /// values.
  private let places: [Int]
  private let tables: [UInt64]

  /// The bits that differ in the 16 bytes behind what all texts begin with.
  struct Varying {
    var or: (UInt64, UInt64) = (0, 0)
    var and: (UInt64, UInt64) = (.max, .max)

    @inline(__always) mutating func add(_ words: (UInt64, UInt64)) {
      or.0 |= words.0
      or.1 |= words.1
      and.0 &= words.0
      and.1 &= words.1
    }

    mutating func add(_ other: Varying) {
      or = (or.0 | other.or.0, or.1 | other.or.1)
      and = (and.0 & other.and.0, and.1 & other.and.1)
    }
  }

  /// - Parameter most: of more bits than this the first ones are taken.
  init(_ varying: Varying, skipped: Int, most: Int) {
    let masks = [varying.or.0 & ~varying.and.0, varying.or.1 & ~varying.and.1]
    var left = most
    var chosen: [(place: Int, bits: [UInt64])] = []
    for place in 0..<16 where left > 0 {
      let shift = UInt64(56 - place % 8 * 8)
      let mask = UInt8(truncatingIfNeeded: masks[place / 8] >> shift)
      let bits = (0..<8).reversed().filter { mask >> $0 & 1 == 1 }.prefix(left)
      if bits.isEmpty { continue }
      left -= bits.count
      chosen.append((place + skipped, bits.map { UInt64($0) }))
    }
    self.skipped = skipped
    width = most - left
    places = chosen.map(\.place)
    var below = width
    var tables: [UInt64] = []
    for (_, bits) in chosen {
      below -= bits.count
      for byte in 0..<UInt64(256) {
        let packed = bits.reduce(UInt64(0)) { $0 << 1 | byte >> $1 & 1 }
        tables.append(packed << UInt64(below))
      }
    }
    self.tables = tables
  }

  /// What packs the prefix of one text after another.
  struct Packer {
    fileprivate let places: UnsafeBufferPointer<Int>
    fileprivate let tables: UnsafeBufferPointer<UInt64>

    @inline(__always)
    func callAsFunction(_ text: UnsafePointer<UInt8>, length: Int) -> UInt64 {
      var packed: UInt64 = 0
      var table = 0
      for place in places {
        // Behind the end there are zeros.
        let byte = place < length ? Int(text[place]) : 0
        packed |= tables[table &+ byte]
        table &+= 256
      }
      return packed
    }
  }

  @inline(__always)
  func withPacker<Result>(_ body: (Packer) throws -> Result) rethrows -> Result {
    try places.withUnsafeBufferPointer { places in
      try tables.withUnsafeBufferPointer { tables in
        try body(Packer(places: places, tables: tables))
      }
    }
  }

  /// 16 bytes as big-endian numbers, what is behind the end as zeros.
  /// - Precondition: 16 bytes can be read.
  @inline(__always)
  static func words(_ text: UnsafePointer<UInt8>, length: Int) -> (UInt64, UInt64) {
    let raw = UnsafeRawPointer(text)
    let first = UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self))
    let second = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    if length >= 16 { return (first, second) }
    // Smart shifts by 64 give zero.
    let firstBits = UInt64(truncatingIfNeeded: 8 * max(0, 8 - length))
    let secondBits = UInt64(truncatingIfNeeded: 8 * max(0, 16 - max(8, length)))
    return ((first >> firstBits) << firstBits, (second >> secondBits) << secondBits)
  }
}
