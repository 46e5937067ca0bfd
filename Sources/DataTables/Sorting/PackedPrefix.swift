internal import CScan

/// Packs the first bytes of texts into a number that ascends as the bytes do.
///
/// Bits that are equal in all texts are left out, so that 64 bits hold ten and more digits, letters
/// or hexadecimal digits.
struct PackedPrefix: Sendable {
  /// Length of the prefix that all texts share, in bytes.
  let skipped: Int
  /// The number of bits of a packed prefix.
  let width: Int
  private let masks: [UInt64]
  /// The packed bits of each value of each of the 16 bytes.
  private let tables: [UInt64]

  /// - Parameters:
  ///   - varying: the bits that differ in the 16 bytes after the shared prefix.
  ///   - most: the limit of ``width``; the first bits are kept.
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

  /// Packs some texts of a block. The number of a null is undefined.
  func pack(
    _ texts: Range<Int>, of block: TextBlock, with kernels: ds_kernels,
    into packed: UnsafeMutablePointer<UInt64>
  ) {
    tables.withUnsafeBufferPointer { tables in
      var packing = ds_packing(
        skipped: skipped, masks: (masks[0], masks[1]), tables: tables.baseAddress)
      let bounds = block.bounds
      // Offsets count from the first byte of the block; texts of one length count from the first of
      // these texts.
      let start = bounds.offsets == nil ? texts.lowerBound * bounds.length : 0
      kernels.pack_texts(
        block.bytes + start, bounds.offsets.map { $0 + texts.lowerBound }, bounds.length,
        texts.count, &packing, packed)
    }
  }
}

extension PackedPrefix {
  /// A prefix that distinguishes the texts of a heap as far as its bits reach.
  /// - Parameter parts: the blocks that each worker reads.
  init(
    of heap: TextHeap, parts: [Range<Int>], most: Int, cancellation: Cancellation
  ) throws {
    var varying = VaryingBits()
    for block in heap.blocks { varying.add(block.varying) }
    // If the first bytes differ, the texts share no prefix.
    guard varying.masks[0] >> 56 == 0 else {
      self.init(varying, skipped: 0, most: most)
      return
    }
    let skipped = try heap.commonPrefix(parts, cancellation: cancellation)
    self.init(
      try heap.varying(after: skipped, cancellation: cancellation), skipped: skipped, most: most)
  }
}

extension TextHeap {
  /// The bits that differ in the 16 bytes behind a shared prefix.
  ///
  /// Texts that end with the prefix are left out. Their bits are zeros, so they are sorted before
  /// the other texts, or compared with those whose bits are zeros too.
  fileprivate func varying(after skipped: Int, cancellation: Cancellation) throws -> VaryingBits {
    let found = WorkerSlots<VaryingBits>(blocks.count)
    try Parallel.forEach(blocks.count) { place, _ in
      try cancellation.check()
      found[place] = blocks[place].varying(after: skipped)
    }
    var varying = VaryingBits()
    for place in blocks.indices { found[place].map { varying.add($0) } }
    return varying
  }

  /// Length of the prefix that all texts share, in bytes.
  fileprivate func commonPrefix(_ parts: [Range<Int>], cancellation: Cancellation) throws -> Int {
    let found = WorkerSlots<Int>(parts.count)
    // The first text, with which all others are compared.
    var model: UnsafeRawBufferPointer?
    for block in blocks where model == nil {
      model = (0..<block.count).first { !block.isNull($0) }.map { block.text($0) }
    }
    guard let model, let base = model.baseAddress else { return 0 }
    nonisolated(unsafe) let first = base.assumingMemoryBound(to: UInt8.self)
    let modelLength = model.count
    try Parallel.forEach(parts.count) { part, _ in
      try cancellation.check()
      var common = modelLength
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
    for place in part {
      let block = blocks[place]
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
