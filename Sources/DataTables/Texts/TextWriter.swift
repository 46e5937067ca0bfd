internal import Glibc

/// Writes texts one after another, in blocks of a few megabytes.
///
/// Not thread-safe; each worker has its own writer. When the memory is full, a new block starts in
/// larger memory, and nothing is copied.
///
/// If memory runs out, the writer records this and ``finish()`` throws an error, so that the loops
/// that append need not check for it. The record is never cleared: a writer that ran out of memory
/// returns no blocks.
final class TextWriter {
  /// Memory for one block after another.
  private var memory: TextMemory?
  /// The offset of the current block in the memory, and its size so far.
  private var start = 0
  private var byteCount = 0
  /// The offsets of the current block. The next block reuses this memory if all texts of the
  /// current block have the same length.
  private var offsets: UnsafeMutablePointer<UInt32>?
  private var capacity = 0
  private var count = 0
  private var nulls: [UInt64] = []
  private var blocks: [TextBlock] = []
  /// Bytes that may still be allocated.
  private var memoryLeft: Int
  private var ranOutOfMemory = false

  private static let minMemory = 8 << 10
  /// Larger memory would be left mostly unused after the last text.
  private static let maxMemory = 8 << 20

  /// - Parameter memoryLimit: the maximum number of bytes to allocate, so that tests need not
  ///   exhaust the memory of the machine.
  init(memoryLimit: Int = .max) { memoryLeft = memoryLimit }

  deinit { free(offsets) }

  /// - Precondition: `text` has fewer than 2^31 bytes.
  func append(_ text: UnsafeRawBufferPointer) {
    guard let (target, ends) = reserve(texts: 1, bytes: text.count) else { return }
    if let start = text.baseAddress { memcpy(target, start, text.count) }
    ends[0] = UInt32(byteCount + text.count)
    commit(1, bytes: text.count)
  }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  func append(_ text: [UInt8]) { text.withUnsafeBytes { append($0) } }

  func appendNull() {
    guard let (_, ends) = reserve(texts: 1, bytes: 0) else { return }
    markNull(0)
    ends[0] = UInt32(byteCount)
    commit(1, bytes: 0)
  }

  /// Reserves memory for some texts: their bytes, and for each text the offset in the block at
  /// which it ends. The first text starts at ``position``. The caller fills the memory and then
  /// calls ``commit(_:bytes:)``.
  /// - Returns: nil if memory ran out; ``finish()`` then throws an error.
  @inline(__always)
  func reserve(
    texts: Int, bytes: Int
  ) -> (bytes: UnsafeMutablePointer<UInt8>, ends: UnsafeMutablePointer<UInt32>)? {
    guard let memory = memory(for: bytes + TextBlock.padding),
      count + texts < capacity || growOffsets(texts), let offsets
    else { return nil }
    return (memory.bytes + start + byteCount, offsets + count + 1)
  }

  @inline(__always)
  private func memory(for needed: Int) -> TextMemory? {
    if let memory, start + byteCount + needed <= memory.capacity { return memory }
    return renewedMemory(needed)
  }

  /// The offset in the block at which the next text starts. Valid after ``reserve(texts:bytes:)``.
  var position: UInt32 { UInt32(truncatingIfNeeded: byteCount) }

  @inline(__always)
  func commit(_ texts: Int, bytes: Int) {
    count += texts
    byteCount += bytes
  }

  /// Marks one of the texts that ``reserve(texts:bytes:)`` made room for as null.
  func markNull(_ index: Int) {
    let place = count + index
    while nulls.count <= place >> 6 { nulls.append(0) }
    nulls[place >> 6] |= 1 << UInt64(place & 63)
  }

  /// All texts that were written. The writer is empty afterwards and can be used again.
  /// - Throws: ``TableError/io(_:)`` if memory ran out at any time.
  func finish() throws(TableError) -> [TextBlock] {
    if ranOutOfMemory {
      throw .io("not enough memory for the strings of a column")
    }
    close()
    defer { blocks = [] }
    return blocks
  }

  private func close() {
    guard count > 0, let memory, let offsets else { return }
    let end = start + byteCount
    memset(memory.bytes + end, 0, TextBlock.padding)
    if !nulls.isEmpty {
      let words = (count + 63) >> 6
      nulls.append(contentsOf: repeatElement(0, count: words - nulls.count))
    }
    blocks.append(
      TextBlock(memory, bytes: start..<end, bounds: bounds(offsets), count: count, nulls: nulls))
    // Wide loads read the padding after the last text and then mask it, so the next block starts
    // after the padding.
    start = end + TextBlock.padding
    byteCount = 0
    count = 0
    nulls = []
  }

  private func bounds(_ offsets: UnsafeMutablePointer<UInt32>) -> TextBounds {
    let length = offsets[1]
    var differing: UInt32 = 0
    for index in 0..<count { differing |= (offsets[index &+ 1] &- offsets[index]) ^ length }
    if differing == 0 { return TextBounds(offsets: nil, length: Int(length)) }
    self.offsets = nil
    capacity = 0
    return TextBounds(offsets: offsets, length: 0)
  }

  /// Closes the block; returns memory for the next one, or nil if memory ran out.
  private func renewedMemory(_ needed: Int) -> TextMemory? {
    close()
    let larger = memory.map { min($0.capacity * 4, Self.maxMemory) } ?? Self.minMemory
    let capacity = max(larger, needed)
    guard capacity <= memoryLeft, let renewed = TextMemory(capacity: capacity) else {
      ranOutOfMemory = true
      return nil
    }
    memoryLeft -= capacity
    memory = renewed
    start = 0
    return renewed
  }

  /// - Returns: whether there was enough memory.
  private func growOffsets(_ texts: Int) -> Bool {
    let larger = max(capacity * 2, count + texts + 1, 1 << 8)
    let added = (larger - capacity) * MemoryLayout<UInt32>.stride
    guard added <= memoryLeft,
      let grown = realloc(offsets, larger * MemoryLayout<UInt32>.stride)
    else {
      ranOutOfMemory = true
      return false
    }
    memoryLeft -= added
    capacity = larger
    offsets = grown.assumingMemoryBound(to: UInt32.self)
    offsets?[0] = 0
    return true
  }
}

/// Memory that blocks of texts share.
///
/// Unchecked `Sendable` is safe: a ``TextWriter`` writes each byte before it returns the block that
/// contains the byte, and nothing reads it earlier.
final class TextMemory: @unchecked Sendable {
  let bytes: UnsafeMutablePointer<UInt8>
  let capacity: Int

  /// nil if the system does not have enough memory.
  init?(capacity: Int) {
    guard let memory = LargePages.allocateIfAvailable(capacity) else { return nil }
    bytes = memory.bindMemory(to: UInt8.self, capacity: capacity)
    self.capacity = capacity
  }

  deinit { free(bytes) }
}
