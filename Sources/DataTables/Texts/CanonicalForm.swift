internal import _FoundationICU

/// The canonical composition (NFC) of texts, whose bytes stand, and are equal, as strings do.
///
/// Swift's own order of strings is not used for texts with combining marks: in Swift 6.3 neither
/// "e\u{301}" < "éa" nor the reverse holds.
enum CanonicalForm {
  static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8] {
    var status = U_ZERO_ERROR
    let normalizer = swift_unorm2_getNFCInstance(&status)
    let units = Array(String(decoding: text, as: UTF8.self).utf16)
    // Lengths of ICU have 32 bits; no string of such a length is read from any format.
    guard let normalizer, units.count < 1 << 28 else { return Array(text) }
    var composed = [UInt16](repeating: 0, count: units.count + 16)
    while true {
      status = U_ZERO_ERROR
      let length = Int(
        swift_unorm2_normalize(
          normalizer, units, Int32(units.count), &composed, Int32(composed.count), &status))
      if status == U_BUFFER_OVERFLOW_ERROR, length > composed.count {
        composed = [UInt16](repeating: 0, count: length)
        continue
      }
      guard status.rawValue <= U_ZERO_ERROR.rawValue else { return Array(text) }
      return Array(String(decoding: composed.prefix(length), as: UTF16.self).utf8)
    }
  }
}

extension String {
  /// How the scalars of the canonical compositions stand to each other.
  func canonicalOrder(_ other: String) -> Ordering {
    var left = self
    var right = other
    return left.withUTF8 { left in
      right.withUTF8 { right in
        UnsafeRawBufferPointer(left).canonicalOrder(UnsafeRawBufferPointer(right))
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func canonicalOrder(_ other: UnsafeRawBufferPointer) -> Ordering {
    if isSurelyCanonical && other.isSurelyCanonical { return byteOrder(other) }
    return CanonicalForm.bytes(of: self).withUnsafeBytes { left in
      CanonicalForm.bytes(of: other).withUnsafeBytes { left.byteOrder($0) }
    }
  }
}

extension TextHeap {
  /// The texts in their canonical composition; blocks that have nothing to compose are shared.
  func canonical(cancellation: Cancellation) throws -> TextHeap {
    if blocks.allSatisfy(\.isASCII) { return self }
    let found = WorkerSlots<[TextBlock]>(blocks.count)
    try Parallel.forEach(blocks.count) { place, _ in
      try cancellation.check()
      let block = blocks[place]
      found[place] = block.isSurelyCanonical ? [block] : block.canonical()
    }
    return TextHeap(blocks.indices.flatMap { found[$0] ?? [] })
  }
}

extension TextBlock {
  fileprivate var isSurelyCanonical: Bool {
    isASCII || (0..<count).allSatisfy { text($0).isSurelyCanonical }
  }

  fileprivate func canonical() -> [TextBlock] {
    let writer = TextWriter()
    for index in 0..<count {
      if isNull(index) {
        writer.appendNull()
      } else if text(index).isSurelyCanonical {
        writer.append(text(index))
      } else {
        writer.append(CanonicalForm.bytes(of: text(index)))
      }
    }
    return writer.finish()
  }
}
