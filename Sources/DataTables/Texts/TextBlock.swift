internal import CScan
internal import Glibc
import Synchronization

/// Texts stored one after another in memory; any text may be null.
///
/// Unchecked `Sendable` is safe: after a ``TextWriter`` has returned the block, only the marks are
/// written, under a lock.
final class TextBlock: @unchecked Sendable {
  /// ``padding`` bytes after the last text are readable.
  let bytes: UnsafePointer<UInt8>
  let bounds: TextBounds
  let count: Int
  /// One bit per text, set if the text is null. Empty if no text is null.
  let nulls: [UInt64]
  /// The bits that differ among the first 16 bytes of the texts; nulls and empty texts are ignored.
  let varying: VaryingBits
  /// Whether all bytes are below 0x80.
  let isASCII: Bool
  private let memory: TextMemory
  /// ``notPlain``, ``notASCII`` and ``isSurelyCanonical``; nil if not known yet.
  private let marks = Mutex<(notPlain: [UInt64]?, notASCII: [UInt64]?, isCanonical: Bool?)>(
    (nil, nil, nil))

  static let padding = 16

  /// - Parameters:
  ///   - bytes: the part of the memory that holds the texts.
  ///   - bounds: the positions of the texts; `malloc` or `realloc` allocated the offsets, and the
  ///     block frees them.
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

  /// The bits that differ after a prefix that all texts share; nulls and empty texts are ignored.
  /// - Parameter skipped: the length of the prefix.
  func varying(after skipped: Int) -> VaryingBits {
    VaryingBits(ds_text_bits(bytes, bounds, count: count, skipped: skipped))
  }

  /// One bit per text, set if the text is not plain (``PlainScalars``). Empty if all texts are plain.
  /// - Complexity: O(bytes) the first time.
  var notPlain: [UInt64] {
    if isASCII { return [] }
    return marks.withLock { marks in
      let found = marks.notPlain ?? bits { $0.firstNotPlain(from: $1) }
      marks.notPlain = found
      return found
    }
  }

  /// One bit per text, set if the text is not ASCII. Empty if all texts are.
  /// - Complexity: O(bytes) the first time.
  var notASCII: [UInt64] {
    if isASCII { return [] }
    return marks.withLock { marks in
      let found = marks.notASCII ?? bits { $0.firstNotASCII(from: $1) }
      marks.notASCII = found
      return found
    }
  }

  /// Whether all texts are certainly in canonical composition.
  /// - Complexity: O(bytes) the first time.
  var isSurelyCanonical: Bool {
    if isASCII { return true }
    return marks.withLock { marks in
      let found = marks.isCanonical ?? (0..<count).allSatisfy { text($0).isSurelyCanonical }
      marks.isCanonical = found
      return found
    }
  }

  /// One bit per text, set for each text with a place.
  /// - Parameter next: returns the next place in the bytes from an index on.
  private func bits(
    where next: (_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int?
  ) -> [UInt64] {
    var bits = [UInt64](repeating: 0, count: (count + 63) >> 6)
    var isEmpty = true
    func mark(_ index: Int) {
      bits[index >> 6] |= 1 << UInt64(index & 63)
      isEmpty = false
    }
    let all = UnsafeRawBufferPointer(start: bytes, count: bounds.start(of: count))
    var index = 0
    var start = 0
    while index < count, let place = next(all, start) {
      index = self.index(ofTextAt: place, from: index)
      mark(index)
      index += 1
      start = bounds.start(of: index)
    }
    // Bytes of two ill-formed texts can look like one scalar.
    for index in 0..<count where text(index).first.map({ $0 & 0xC0 == 0x80 }) ?? false {
      mark(index)
      let previous = (0..<index).last { bounds[$0].count > 0 }
      if let previous, next(text(previous), 0) != nil { mark(previous) }
    }
    return isEmpty ? [] : bits
  }

  /// The index of the text that contains a byte.
  /// - Parameters:
  ///   - place: the offset of the byte in the block.
  ///   - first: the index of a text that does not start after the byte.
  /// - Complexity: O(log distance).
  @inline(__always)
  func index(ofTextAt place: Int, from first: Int) -> Int {
    guard let offsets = bounds.offsets else { return place / bounds.length }
    var low = first
    var step = 1
    while low &+ step < count, Int(offsets[low &+ step]) <= place {
      low &+= step
      step &*= 2
    }
    var high = Swift.min(count, low &+ step)
    // The text at `low` starts at or before the place, the one at `high` after it.
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if Int(offsets[middle]) <= place { low = middle } else { high = middle }
    }
    return low
  }

  @inline(__always) func isNull(_ index: Int) -> Bool { nulls.isSet(index) }

  /// The next range of texts that are not null; nil if only nulls follow.
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

/// The positions of the texts of a block among its bytes.
///
/// - Requires: the block outlives the bounds.
struct TextBounds {
  /// The start of each text, then the end of the last; nil if all texts have the same length, as
  /// hashes and other identifiers do.
  let offsets: UnsafePointer<UInt32>?
  /// The length of every text if ``offsets`` is nil.
  let length: Int

  /// The start of a text, or the end of the last one.
  @inline(__always)
  func start(of index: Int) -> Int { offsets.map { Int($0[index]) } ?? index &* length }

  @inline(__always)
  subscript(index: Int) -> (start: Int, count: Int) {
    guard let offsets else { return (index &* length, length) }
    let start = Int(offsets[index])
    return (start, Int(offsets[index &+ 1]) &- start)
  }
}

/// The bits that differ among 16 bytes of each text, as two big-endian words. Bytes after the end
/// of a text count as zeros.
struct VaryingBits: Sendable {
  private var some: (UInt64, UInt64) = (0, 0)
  private var all: (UInt64, UInt64) = (.max, .max)

  /// Without any text, no bits differ.
  init() {}

  init(_ bits: ds_text_bits) {
    some = bits.some
    all = bits.all
  }

  var masks: [UInt64] { [some.0 & ~all.0, some.1 & ~all.1] }

  mutating func add(_ other: VaryingBits) {
    some = (some.0 | other.some.0, some.1 | other.some.1)
    all = (all.0 & other.all.0, all.1 & other.all.1)
  }
}

extension ds_text_bits {
  fileprivate init(
    _ bytes: UnsafePointer<UInt8>, _ bounds: TextBounds, count: Int, skipped: Int = 0
  ) {
    self.init(some: (0, 0), all: (.max, .max), anywhere: 0)
    ds_kernels_best().pointee.add_text_bits(
      bytes, bounds.offsets, bounds.length, count, skipped, &self)
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
  /// Whether a bit is set; false for an empty array.
  @inline(__always) func isSet(_ bit: Int) -> Bool {
    !isEmpty && self[bit >> 6] >> UInt64(bit & 63) & 1 == 1
  }
}
