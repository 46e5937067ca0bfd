internal import CScan

/// The first bytes of texts, packed into few bits that ascend as the bytes do.
///
/// Bits that are the same in all texts are left out, so that 64 bits hold ten and more characters of
/// digits, letters or hexadecimal numbers.
struct PackedPrefix: Sendable {
  /// The number of bytes that all texts begin with.
  let skipped: Int
  /// How many bits there are.
  let width: Int
  private let masks: [UInt64]
  /// For each of the 16 bytes and each of its values, the bits it gives.
  private let tables: [UInt64]

  /// The bits that differ in 16 bytes.
  struct Varying {
    var or: (UInt64, UInt64) = (0, 0)
    var and: (UInt64, UInt64) = (.max, .max)

    var masks: [UInt64] { [or.0 & ~and.0, or.1 & ~and.1] }

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

  /// - Parameters:
  ///   - varying: of the bytes behind what all texts begin with.
  ///   - most: of more bits than this the first ones are taken.
  init(_ varying: Varying, skipped: Int, most: Int) {
    var left = most
    masks = varying.masks.map { mask in
      var mask = mask
      while mask.nonzeroBitCount > left { mask &= mask &- 1 }
      left -= mask.nonzeroBitCount
      return mask
    }
    self.skipped = skipped
    width = most - left
    tables = masks.flatMap { mask in
      (0..<8).flatMap { place in
        let shift = UInt64(56 - 8 * place)
        let bits = (0..<8).reversed().filter { mask >> (shift + UInt64($0)) & 1 == 1 }
        let below = UInt64((mask & ((1 << shift) - 1)).nonzeroBitCount)
        return (0..<UInt64(256)).map { byte in
          bits.reduce(UInt64(0)) { $0 << 1 | byte >> UInt64($1) & 1 } << below
        }
      }
    }
  }

  /// Packs some texts of a block, nulls as any number.
  func pack(
    _ texts: Range<Int>, of block: TextBlock, with kernels: ds_kernels,
    into packed: UnsafeMutablePointer<UInt64>
  ) {
    tables.withUnsafeBufferPointer { tables in
      var packing = ds_packing(
        skipped: skipped, masks: (masks[0], masks[1]), tables: tables.baseAddress)
      let bounds = block.bounds
      // Offsets count from the block's first byte, texts of one length from the first of them.
      let start = bounds.offsets == nil ? texts.lowerBound * bounds.length : 0
      kernels.pack_texts(
        block.bytes + start, bounds.offsets.map { $0 + texts.lowerBound }, bounds.length,
        texts.count, &packing, packed)
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
