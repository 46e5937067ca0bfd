internal import CScan

/// Packs the first bytes of a text into a number. The numbers ascend in the byte order of the
/// texts.
///
/// Bits that are equal in all texts are omitted, so that 64 bits hold ten or more decimal digits,
/// letters or hexadecimal digits.
struct PackedPrefix: Sendable {
  /// The length of the prefix that all texts share, in bytes.
  let skipped: Int
  /// The number of bits of a packed prefix.
  let width: Int
  private let masks: [UInt64]
  /// For each of the 16 bytes and each of its 256 values, the packed bits.
  private let tables: [UInt64]

  /// - Parameters:
  ///   - varying: the bits of the 16 bytes after the shared prefix that differ between texts.
  ///   - maxWidth: the maximum of ``width``; the first bits are kept.
  init(_ varying: VaryingBits, skipped: Int, maxWidth: Int) {
    var remaining = maxWidth
    masks = varying.masks.map { mask in
      var mask = mask
      while mask.nonzeroBitCount > remaining { mask &= mask &- 1 }
      remaining -= mask.nonzeroBitCount
      return mask
    }
    self.skipped = skipped
    width = maxWidth - remaining
    tables = masks.flatMap { mask in
      (0..<8).flatMap { index in
        let shift = UInt64(56 - 8 * index)
        let bits = (0..<8).reversed().filter { mask >> (shift + UInt64($0)) & 1 == 1 }
        let below = UInt64((mask & ((1 << shift) - 1)).nonzeroBitCount)
        return (0..<UInt64(256)).map { byte in
          bits.reduce(UInt64(0)) { $0 << 1 | byte >> UInt64($1) & 1 } << below
        }
      }
    }
  }

  /// Packs some texts of a block. The packed prefix of a null is undefined.
  func pack(
    _ texts: Range<Int>, of block: TextBlock, with kernels: ds_kernels,
    into packed: UnsafeMutablePointer<UInt64>
  ) {
    tables.withUnsafeBufferPointer { tables in
      var packing = ds_packing(
        skipped: skipped, masks: (masks[0], masks[1]), tables: tables.baseAddress)
      let bounds = block.bounds
      // Offsets are relative to the first byte of the block. Without offsets, all texts have the
      // same length, and the kernel expects a pointer to the first text of the range.
      let start = bounds.offsets == nil ? texts.lowerBound * bounds.length : 0
      kernels.pack_texts(
        block.bytes + start, bounds.offsets.map { $0 + texts.lowerBound }, bounds.length,
        texts.count, &packing, packed)
    }
  }
}

extension PackedPrefix {
  /// The prefix that distinguishes the texts of a heap as far as `maxWidth` bits allow.
  /// - Parameter parts: the blocks that each worker reads.
  init(
    of heap: TextHeap, parts: [Range<Int>], maxWidth: Int, cancellation: Cancellation
  ) throws {
    var varying = VaryingBits()
    for block in heap.blocks { varying.add(block.varying) }
    // If the first bytes differ, the texts share no prefix.
    guard varying.masks[0] >> 56 == 0 else {
      self.init(varying, skipped: 0, maxWidth: maxWidth)
      return
    }
    let skipped = try heap.commonPrefix(parts, cancellation: cancellation)
    self.init(
      try heap.varying(after: skipped, cancellation: cancellation), skipped: skipped,
      maxWidth: maxWidth)
  }
}

extension TextHeap {
  /// The bits of the 16 bytes after a shared prefix that differ between texts.
  ///
  /// Texts that end with the prefix are ignored. Their packed bits are zeros, so they are sorted
  /// first; if the bits of other texts are zeros too, these texts are compared byte by byte.
  fileprivate func varying(after skipped: Int, cancellation: Cancellation) throws -> VaryingBits {
    let found = WorkerSlots<VaryingBits>(blocks.count)
    try Parallel.forEach(blocks.count) { index, _ in
      try cancellation.check()
      found[index] = blocks[index].varying(after: skipped)
    }
    var varying = VaryingBits()
    for index in blocks.indices { found[index].map { varying.add($0) } }
    return varying
  }

  /// The length of the prefix that all texts share, in bytes.
  fileprivate func commonPrefix(_ parts: [Range<Int>], cancellation: Cancellation) throws -> Int {
    let found = WorkerSlots<Int>(parts.count)
    // All other texts are compared with the first one.
    var firstText: UnsafeRawBufferPointer?
    for block in blocks where firstText == nil {
      firstText = (0..<block.count).first { !block.isNull($0) }.map { block.text($0) }
    }
    guard let firstText, let base = firstText.baseAddress else { return 0 }
    nonisolated(unsafe) let first = base.assumingMemoryBound(to: UInt8.self)
    let firstLength = firstText.count
    try Parallel.forEach(parts.count) { part, _ in
      try cancellation.check()
      var common = firstLength
      forEachText(of: parts[part]) { text, length in
        common = TextPlaces.commonPrefix(text, first, from: 0, upTo: min(common, length))
      }
      found[part] = common
    }
    return parts.indices.compactMap { found[$0] }.min() ?? 0
  }

  /// Calls `body` with the start and the length of each text of some blocks.
  @inline(__always)
  private func forEachText(of part: Range<Int>, _ body: (UnsafePointer<UInt8>, Int) -> Void) {
    for block in blocks[part] {
      let nulls = block.nulls
      let bytes = block.bytes
      let bounds = block.bounds
      for index in 0..<block.count where !nulls.isSet(index) {
        let (start, length) = bounds[index]
        body(bytes + start, length)
      }
    }
  }
}
