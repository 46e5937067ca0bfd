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

  /// - Parameters:
  ///   - varying: of the bytes behind what all texts begin with.
  ///   - most: of more bits than this the first ones are taken.
  init(_ varying: VaryingBits, skipped: Int, most: Int) {
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
}
