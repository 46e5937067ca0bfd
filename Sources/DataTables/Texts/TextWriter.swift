internal import Glibc

/// Writes texts one behind the other, in blocks of a few megabytes.
///
/// Not thread-safe; each worker has its own. Nothing is copied when there is more to write than there
/// is memory: a new block begins, in memory that is larger.
final class TextWriter {
  /// What blocks are written to, one behind the other.
  private var memory: TextMemory?
  /// Where the block at hand begins there, and how much it has.
  private var start = 0
  private var byteCount = 0
  /// Used again by the next block where the texts of this one have one length.
  private var offsets: UnsafeMutablePointer<UInt32>?
  private var capacity = 0
  private var count = 0
  private var nulls: [UInt64] = []
  private var blocks: [TextBlock] = []

  private static let leastMemory = 8 << 10
  /// More would lie idle behind the last text.
  private static let mostMemory = 8 << 20

  deinit { free(offsets) }

  /// - Precondition: `text` has less than 2^31 bytes.
  func append(_ text: UnsafeRawBufferPointer) {
    let (target, ends) = room(texts: 1, bytes: text.count)
    if let start = text.baseAddress { memcpy(target, start, text.count) }
    ends[0] = UInt32(byteCount + text.count)
    took(1, bytes: text.count)
  }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  func append(_ text: [UInt8]) { text.withUnsafeBytes { append($0) } }

  func appendNull() {
    let (_, ends) = room(texts: 1, bytes: 0)
    markNull(0)
    ends[0] = UInt32(byteCount)
    took(1, bytes: 0)
  }

  /// Memory for some texts, to be filled by the caller, who then tells with
  /// ``took(_:bytes:)`` what was written: the bytes, and for each text the place in the block at
  /// which it ends, counted from ``position``.
  @inline(__always)
  func room(
    texts: Int, bytes wanted: Int
  ) -> (bytes: UnsafeMutablePointer<UInt8>, ends: UnsafeMutablePointer<UInt32>) {
    let needed = wanted + TextBlock.padding
    var memory = memory ?? renewedMemory(needed)
    if start + byteCount + needed > memory.capacity { memory = renewedMemory(needed) }
    if count + texts + 1 > capacity { growOffsets(texts) }
    // Grown by the first text of the block at the latest.
    return (memory.bytes + start + byteCount, offsets.unsafelyUnwrapped + count + 1)
  }

  /// Where the next text begins, as ends are counted. Valid after ``room(texts:bytes:)``.
  var position: UInt32 { UInt32(truncatingIfNeeded: byteCount) }

  @inline(__always)
  func took(_ texts: Int, bytes: Int) {
    count += texts
    byteCount += bytes
  }

  /// Makes one of the texts that ``room(texts:bytes:)`` was asked for null.
  func markNull(_ index: Int) {
    let place = count + index
    while nulls.count <= place >> 6 { nulls.append(0) }
    nulls[place >> 6] |= 1 << UInt64(place & 63)
  }

  /// All that was written. The writer is empty after, and may write more.
  func finish() -> [TextBlock] {
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
    // What is behind the end counts as text where bytes are loaded, until masked: never another's.
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

  private func renewedMemory(_ needed: Int) -> TextMemory {
    close()
    let larger = memory.map { min($0.capacity * 4, Self.mostMemory) } ?? Self.leastMemory
    let renewed = TextMemory(capacity: max(larger, needed))
    memory = renewed
    start = 0
    return renewed
  }

  private func growOffsets(_ texts: Int) {
    capacity = max(capacity * 2, count + texts + 1, 1 << 8)
    offsets = Self.grown(offsets, to: capacity)
    offsets?[0] = 0
  }

  private static func grown<Element>(
    _ memory: UnsafeMutablePointer<Element>?, to capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    guard let grown = realloc(memory, capacity * MemoryLayout<Element>.stride) else {
      fatalError("out of memory")
    }
    return grown.assumingMemoryBound(to: Element.self)
  }
}
