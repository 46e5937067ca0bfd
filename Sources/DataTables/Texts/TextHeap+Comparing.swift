extension TextHeap {
  /// How the bytes of a text stand to others.
  func compare(_ number: Int, _ other: UnsafeRawBufferPointer) -> Ordering {
    text(number).byteOrder(other)
  }
}

extension TextHeap {
  /// For every text whether it is canonically equivalent to another.
  func matching(_ other: UnsafeRawBufferPointer) -> [Bool] {
    let isSure = other.isSurelyCanonical
    let canonical = isSure ? Array(other) : CanonicalForm.bytes(of: other)
    return canonical.withUnsafeBytes { canonical in
      blocks.flatMap { block in
        (0..<block.count).map { index in
          if block.isNull(index) { return false }
          let text = block.text(index)
          if text.count == canonical.count, text.byteOrder(canonical) == .same { return true }
          // ASCII has one form only.
          return !block.isASCII && !text.isSurelyCanonical
            && CanonicalForm.bytes(of: text).elementsEqual(canonical)
        }
      }
    }
  }
}
