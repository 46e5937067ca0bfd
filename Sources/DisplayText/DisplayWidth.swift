internal import DataTables

extension Character {
  /// The number of cells that a terminal uses for this grapheme cluster: 0, 1, 2, or more for clusters
  /// of several spacing letters, as in Devanagari.
  ///
  /// An emoji uses two cells, even if it is joined from many scalars. In other clusters the widths
  /// of the scalars are added. Marks, format controls other than the soft hyphen, and the vowels
  /// and finals of conjoining Hangul use no cells. Control characters count as 0 cells; escape them
  /// first.
  package var displayWidth: Int {
    if let ascii = asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
    if isEmojiCluster { return 2 }
    return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }

  private var isEmojiCluster: Bool {
    guard let first = unicodeScalars.first else { return false }
    if first.isRegionalIndicator { return unicodeScalars.count > 1 }
    if first.properties.isEmojiPresentation { return true }
    // VS16 or a skin tone turns a symbol that is text by default into an emoji.
    return first.properties.isEmoji
      && unicodeScalars.dropFirst().contains { $0 == "\u{FE0F}" || $0.properties.isEmojiModifier }
  }
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

extension String {
  /// Whether all bytes are printable ASCII: each byte is then a character of one cell.
  package var isPrintableASCII: Bool {
    var text = self
    return text.withUTF8 { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
  }

  /// The number of cells that a terminal uses for this text, which must not contain control characters.
  package var displayWidth: Int {
    // Printable ASCII, the usual case, needs no grapheme breaking.
    if isPrintableASCII { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// The text if it fits into `cells`, else the characters that fit before a `…`.
  package func shortened(to cells: Int) -> String {
    guard displayWidth > cells else { return self }
    guard cells > 0 else { return "" }
    var kept = ""
    var used = 1
    for character in self {
      used += character.displayWidth
      if used > cells { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
