// What the texts have in common, and what not.
extension TextSort {
  /// Calls `body` with the texts of some blocks: start and length.
  @inline(__always)
  private func forEachText(of part: Range<Int>, _ body: (UnsafePointer<UInt8>, Int) -> Void) {
    for place in part {
      let block = heap.blocks[place]
      let nulls = block.nulls
      let bytes = block.bytes
      let bounds = block.bounds
      for index in 0..<block.count where !nulls.isSet(index) {
        let (start, length) = bounds[index]
        body(bytes + start, length)
      }
    }
  }

  /// The bits by which the texts are told apart first.
  func prefix(cancellation: Cancellation) throws -> PackedPrefix {
    let most = min(64, 64 - numberBits + Self.topBits)
    var varying = VaryingBits()
    for block in heap.blocks { varying.add(block.varying) }
    // Where the first bytes differ, no text begins as all others do.
    if varying.masks[0] >> 56 != 0 { return PackedPrefix(varying, skipped: 0, most: most) }
    let skipped = try commonPrefix(cancellation: cancellation)
    return PackedPrefix(
      try self.varying(behind: skipped, cancellation: cancellation), skipped: skipped, most: most)
  }

  /// Texts that end there are left out: they stand before all others as their zeros do, or beside those
  /// whose bits are zeros too, and are held against these.
  private func varying(behind skipped: Int, cancellation: Cancellation) throws -> VaryingBits {
    let found = WorkerSlots<VaryingBits>(heap.blocks.count)
    try Parallel.forEach(heap.blocks.count) { place, _ in
      try cancellation.check()
      found[place] = heap.blocks[place].varying(behind: skipped)
    }
    var varying = VaryingBits()
    for place in heap.blocks.indices { found[place].map { varying.add($0) } }
    return varying
  }

  /// The number of bytes that all texts begin with.
  private func commonPrefix(cancellation: Cancellation) throws -> Int {
    let found = WorkerSlots<Int>(parts.count)
    // The first text that is there, to hold the others against.
    var model: UnsafeRawBufferPointer?
    for block in heap.blocks where model == nil {
      model = (0..<block.count).first { !block.isNull($0) }.map { block.text($0) }
    }
    guard let model, let base = model.baseAddress else { return 0 }
    nonisolated(unsafe) let first = base.assumingMemoryBound(to: UInt8.self)
    let modelLength = model.count
    try Parallel.forEach(parts.count) { part, _ in
      try cancellation.check()
      var common = modelLength
      forEachText(of: parts[part]) { text, length in
        common = TextPlaces.commonPrefix(text, first, from: 0, most: min(common, length))
      }
      found[part] = common
    }
    return parts.indices.compactMap { found[$0] }.min() ?? 0
  }
}
