internal import CScan

/// The bits that differ in 16 bytes of texts, as two big-endian words; what is behind the end of a text
/// counts as zeros.
struct VaryingBits: Sendable {
  private var some: (UInt64, UInt64) = (0, 0)
  private var all: (UInt64, UInt64) = (.max, .max)

  /// Those of no text.
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
  init(
    _ bytes: UnsafePointer<UInt8>, _ bounds: TextBounds, count: Int, skipped: Int = 0
  ) {
    self.init(some: (0, 0), all: (.max, .max), anywhere: 0)
    ds_kernels_best().pointee.add_text_bits(
      bytes, bounds.offsets, bounds.length, count, skipped, &self)
  }
}
