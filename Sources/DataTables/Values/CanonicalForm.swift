internal import Glibc
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
