internal import Glibc
internal import _FoundationICU

/// The canonical composition (NFC) of texts. Strings compare as the bytes of their compositions do.
///
/// Swift's own order of strings is wrong for texts with combining marks: in Swift 6.3 neither
/// "e\u{301}" < "éa" nor the reverse holds.
enum CanonicalForm {
  /// The composition of `text`, both in UTF-8.
  static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8] {
    var status = U_ZERO_ERROR
    let normalizer = swift_unorm2_getNFCInstance(&status)
    let units = Array(String(decoding: text, as: UTF8.self).utf16)
    // ICU has 32-bit lengths. No format yields longer strings.
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
  /// The order of two strings by the scalars of their canonical compositions.
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

  /// The order relative to `other`, byte by byte; a prefix comes first.
  func byteOrder(_ other: UnsafeRawBufferPointer) -> Ordering {
    let common = Swift.min(count, other.count)
    if common > 0, let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, common)
      if order != 0 { return Ordering(Int(order), 0) }
    }
    return Ordering(count, other.count)
  }

  /// Whether the UTF-8 is certainly its own canonical composition, so that such strings compare as
  /// their bytes do.
  ///
  /// True for scripts in which no character composes with the previous one: Latin, Greek, Cyrillic,
  /// kana, Han, Hangul syllables, punctuation, symbols and emoji, without combining marks.
  package var isSurelyCanonical: Bool {
    var index = 0
    while index < count {
      let byte = self[index]
      index &+= 1
      // ASCII, the lead bytes of blocks that contain only such characters, and continuation bytes,
      // which are less than all lead bytes.
      if byte < 0xCC || byte == 0xD0 || byte == 0xD1 || (byte >= 0xE4 && byte <= 0xE9)
        || byte == 0xEB || byte == 0xEC || byte == 0xCF
      {
        continue
      }
      guard index < count else { return false }
      let third = index &+ 1 < count ? self[index &+ 1] : 0
      if !Self.isSurelyCanonical(byte, self[index], third) { return false }
    }
    return true
  }

  private static func isSurelyCanonical(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    switch (first, second) {
    // The Greek middle dot is equivalent to another character.
    case (0xCE, _): second != 0x87
    // In the punctuation from U+2000 to U+203F, two spaces are equivalent to other characters.
    case (0xE2, 0x80): third > 0x81
    // Signs of currencies, but not the combining marks for symbols.
    case (0xE2, 0x83): third < 0x90
    // The signs of ohm, kelvin and angstrom are equivalent to letters.
    case (0xE2, 0x84): third != 0xA6 && third != 0xAA && third != 0xAB
    // Angle brackets.
    case (0xE2, 0x8C): third != 0xA9 && third != 0xAA
    // Superscripts, arrows, mathematical operators, boxes, dingbats and other symbols.
    case (0xE2, 0x81), (0xE2, 0x82), (0xE2, 0x85...0x8B), (0xE2, 0x8D...0xAA): true
    // Except for tone marks and the voiced sound marks of kana.
    case (0xE3, 0x80): third < 0xAA || third > 0xAF
    case (0xE3, 0x82): third != 0x99 && third != 0x9A
    case (0xE3, _): true
    // Variation selectors; full and half width forms.
    case (0xEF, 0xB8): third < 0x90
    case (0xEF, 0xBC), (0xEF, 0xBD), (0xEF, 0xBE): true
    // Emoji.
    case (0xF0, 0x9F): true
    default: false
    }
  }
}
