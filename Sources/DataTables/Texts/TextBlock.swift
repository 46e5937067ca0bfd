internal import CScan
internal import Glibc

/// Texts that lie one behind the other in memory, and which of them are null.
///
/// Sendable although unchecked: nothing is written after a ``TextWriter`` has given it away.
final class TextBlock: @unchecked Sendable {
  /// ``padding`` bytes behind the last text can be read.
  let bytes: UnsafePointer<UInt8>
  let bounds: TextBounds
  let count: Int
  /// One bit a text; empty when none is null.
  let nulls: [UInt64]
  /// Of the first bytes of all texts but null and the empty one.
  let varying: VaryingBits
  /// Whether all bytes are below 0x80.
  let isASCII: Bool
  private let memory: TextMemory

  static let padding = 16

  /// - Parameters:
  ///   - bytes: where the texts lie in the memory.
  ///   - bounds: with offsets that `malloc` gave, which are taken over.
  init(
    _ memory: TextMemory, bytes: Range<Int>, bounds: TextBounds, count: Int, nulls: [UInt64]
  ) {
    self.memory = memory
    self.bytes = UnsafePointer(memory.bytes + bytes.lowerBound)
    self.bounds = bounds
    self.count = count
    self.nulls = nulls
    let bits = ds_text_bits(self.bytes, bounds, count: count)
    varying = VaryingBits(bits)
    isASCII = bits.anywhere & 0x8080_8080_8080_8080 == 0
  }

  deinit { free(UnsafeMutablePointer(mutating: bounds.offsets)) }

  /// What differs in the bytes behind those that all texts begin with, but for null and the empty one.
  func varying(behind skipped: Int) -> VaryingBits {
    VaryingBits(ds_text_bits(bytes, bounds, count: count, skipped: skipped))
  }

  @inline(__always) func isNull(_ index: Int) -> Bool { nulls.isSet(index) }

  /// The next texts that follow each other without a null between them; nil when there are none.
  @inline(__always)
  func run(from start: Int, below end: Int) -> Range<Int>? {
    if nulls.isEmpty { return start < end ? start..<end : nil }
    guard let first = (start..<end).first(where: { !nulls.isSet($0) }) else { return nil }
    return first..<((first..<end).first { nulls.isSet($0) } ?? end)
  }

  /// The bytes of a text, which live as long as the block.
  @inline(__always) func text(_ index: Int) -> UnsafeRawBufferPointer {
    let (start, count) = bounds[index]
    return UnsafeRawBufferPointer(start: bytes + start, count: count)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether all bytes are below 0x80.
  var isASCII: Bool {
    var found: UInt64 = 0
    var index = 0
    while index &+ 8 <= count {
      found |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < count {
      found |= UInt64(self[index])
      index &+= 1
    }
    return found & 0x8080_8080_8080_8080 == 0
  }
}

extension [UInt64] {
  /// Whether a bit is set; none is where there are no words.
  @inline(__always) func isSet(_ bit: Int) -> Bool {
    !isEmpty && self[bit >> 6] >> UInt64(bit & 63) & 1 == 1
  }
}
