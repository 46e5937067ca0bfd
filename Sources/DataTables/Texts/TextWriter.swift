internal import Glibc

/// Writes texts one behind the other, in blocks of a few megabytes.
///
/// Not thread-safe; each piece of work has its own. Memory comes from `malloc`, whose large pieces
/// grow without being copied and cost nothing where they are not touched.
final class TextWriter {
  private var bytes: UnsafeMutablePointer<UInt8>?
  private var offsets: UnsafeMutablePointer<UInt32>?
  private var byteCapacity = 0
  private var capacity = 0
  private var byteCount = 0
  private var count = 0
  private var nulls: [UInt64] = []
  private var blocks: [TextBlock] = []

  /// A block that has grown beyond this is closed, so that 32 bits always tell a place in it.
  private static let blockSize = 4 << 20

  deinit {
    free(bytes)
    free(offsets)
  }

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
    if byteCount > Self.blockSize { close() }
    if byteCount + wanted + TextBlock.padding > byteCapacity { growBytes(wanted) }
    if count + texts + 1 > capacity { growOffsets(texts) }
    // Both were grown by the first text of the block at the latest.
    return (bytes.unsafelyUnwrapped + byteCount, offsets.unsafelyUnwrapped + count + 1)
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

  /// All that was written. The writer is empty after.
  func finish() -> [TextBlock] {
    if count > 0 { close() }
    defer { blocks = [] }
    return blocks
  }

  private func close() {
    guard let bytes, let offsets else { return }
    memset(bytes + byteCount, 0, TextBlock.padding)
    if !nulls.isEmpty {
      let words = (count + 63) >> 6
      nulls.append(contentsOf: repeatElement(0, count: words - nulls.count))
    }
    blocks.append(TextBlock(bytes: bytes, offsets: offsets, count: count, nulls: nulls))
    self.bytes = nil
    self.offsets = nil
    byteCapacity = 0
    capacity = 0
    byteCount = 0
    count = 0
    nulls = []
  }

  private func growBytes(_ wanted: Int) {
    byteCapacity = max(byteCapacity * 2, byteCount + wanted + TextBlock.padding, 1 << 10)
    bytes = Self.grown(bytes, to: byteCapacity)
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
