internal import Glibc

extension UnsafeRawBufferPointer {
  /// How the bytes stand to others.
  func byteOrder(_ other: UnsafeRawBufferPointer) -> Ordering {
    let common = Swift.min(count, other.count)
    if common > 0, let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, common)
      if order != 0 { return Ordering(Int(order), 0) }
    }
    return Ordering(count, other.count)
  }
}

extension TextHeap {
  /// How the bytes of a text stand to others.
  func compare(_ number: Int, _ other: UnsafeRawBufferPointer) -> Ordering {
    text(number).byteOrder(other)
  }
}
