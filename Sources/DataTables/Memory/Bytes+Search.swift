internal import Glibc

extension [UInt8] {
  /// The index of the first occurrence of a byte in a range of indices; nil if it does not occur.
  /// Several times as fast as `firstIndex(of:)`, which compares byte by byte.
  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let start = bytes.baseAddress,
        let found = memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return range.lowerBound + (UnsafeRawPointer(found) - start)
    }
  }
}
