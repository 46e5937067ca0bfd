extension UnsafeRawBufferPointer {
  /// Whether UTF-8 is its own canonical composition for sure, so that its bytes stand, and are
  /// equal, as its scalars are.
  ///
  /// Taken are scripts in which no character composes with the one before: Latin, Greek, Cyrillic,
  /// kana, Han, Hangul syllables, punctuation and emoji, without combining marks.
  var isSurelyCanonical: Bool {
    var index = 0
    while index < count {
      let byte = self[index]
      index &+= 1
      // Whole blocks: what continues a character is below them all.
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
    // The Greek middle dot is another's twin.
    case (0xCE, _): second != 0x87
    // Two spaces are, of the punctuation from U+2000 to U+203F.
    case (0xE2, 0x80): third > 0x81
    // Tone marks, and the voiced marks of kana.
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
