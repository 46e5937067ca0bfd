internal import Glibc

/// Texts that lie one behind the other in memory, and which of them are null.
///
/// Sendable although unchecked: nothing is written after a ``TextWriter`` has given it away.
final class TextBlock: @unchecked Sendable {
  /// ``padding`` bytes behind the last text can be read.
  let bytes: UnsafePointer<UInt8>
  /// Where the texts begin, and where the last one ends.
  let offsets: UnsafePointer<UInt32>
  let count: Int
  /// One bit a text; empty when none is null.
  let nulls: [UInt64]
  /// Whether all bytes are below 0x80.
  let isASCII: Bool

  static let padding = 16

  /// Takes over memory that `malloc` gave.
  init(
    bytes: UnsafeMutablePointer<UInt8>, offsets: UnsafeMutablePointer<UInt32>, count: Int,
    nulls: [UInt64]
  ) {
    self.bytes = UnsafePointer(bytes)
    self.offsets = UnsafePointer(offsets)
    self.count = count
    self.nulls = nulls
    let all = UnsafeRawBufferPointer(start: bytes, count: Int(offsets[count]))
    isASCII = all.isASCII
  }

  deinit {
    free(UnsafeMutablePointer(mutating: bytes))
    free(UnsafeMutablePointer(mutating: offsets))
  }

  @inline(__always) func isNull(_ index: Int) -> Bool { nulls.isSet(index) }

  /// The bytes of a text, which live as long as the block.
  @inline(__always) func text(_ index: Int) -> UnsafeRawBufferPointer {
    let start = Int(offsets[index])
    return UnsafeRawBufferPointer(start: bytes + start, count: Int(offsets[index + 1]) - start)
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
