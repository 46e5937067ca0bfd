/// An index whose titles are the letters of a locale's alphabet. It finds the title of each value.
///
/// The titles are the letters of the alphabet (A to Z; in Swedish, Å, Ä and Ö follow), as in a
/// localized indexed collation, and `#` at the end. The title of a string is the last letter that
/// is not after it in the order of the locale, without regard to accents and case: E for É, A for
/// Æ. Strings that begin with a digit, a symbol or a letter of another script, the empty string,
/// and values that are not strings have the title `#`. ICU provides the letters, which are defined
/// by CLDR.
public struct CollatedIndex: Sendable {
  /// The titles in the order of the locale; the last one is `#`.
  public let titles: [String]

  private let locale: CollationLocale
  /// The keys of the letters, ascending.
  private let keys: TextHeap
  /// The script of the last letter. Strings of another script that are after this letter are under
  /// `#`.
  private let lastScript: Int32?
  /// Whether the order is the root order, in which no two ASCII letters count as one letter.
  private let isRoot: Bool

  private static let settings = Collator.Settings(strength: .primary)

  /// - Parameter locale: `sv` or `zh_Hant`, for example; nil means the root, which has A to Z.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist.
  public init(locale: String? = nil) throws(TableError) {
    self.locale = try CollationLocale(locale)
    let collator = try Collator(self.locale, Self.settings)
    isRoot = !collator.hasRules
    let letters = try IndexLetters.letters(of: self.locale, collator)
    keys = letters.keys
    titles = letters.letters + ["#"]
    lastScript = letters.letters.last?.unicodeScalars.first.map(IndexLetters.script)
  }

  /// The title of the section of a value.
  public func title(of value: Value) -> String { titles[section(of: value)] }

  /// The index in ``titles`` of the section of a value.
  public func section(of value: Value) -> Int {
    guard case .string(var string) = value, let collator = try? Collator(locale, Self.settings)
    else { return titles.count - 1 }
    let found: Int? = string.withUTF8 {
      try? section(of: UnsafeRawBufferPointer($0), collator, TextWriter())
    }
    return found ?? titles.count - 1
  }

  /// The index in ``titles`` of the section of each value.
  ///
  /// - Complexity: O(values). Blocks of texts are processed on all processors.
  /// - Throws: ``TableError/cancelled``; ``TableError/io(_:)`` if memory runs out.
  public func sections(
    of values: DistinctValues, cancellation: Cancellation = Cancellation()
  ) throws -> [UInt16] {
    let texts = try values.asTexts()
    let found = WorkerSlots<[UInt16]>(texts.blocks.count)
    let asciiSections = isRoot ? try sectionsOfASCII() : nil
    let last = UInt16(titles.count - 1)
    try Parallel.forEach(texts.blocks.count) { blockIndex, _ in
      let collator = try Collator(locale, Self.settings)
      let writer = TextWriter()
      let block = texts.blocks[blockIndex]
      var sections: [UInt16] = []
      sections.reserveCapacity(block.count)
      for index in 0..<block.count {
        if index & 0xFFF == 0 { try cancellation.check() }
        let text = block.text(index)
        if block.isNull(index) {
          sections.append(last)
        } else if let asciiSections, let first = text.asciiFirstCharacter, first >= 0x20 {
          sections.append(asciiSections[Int(first)])
        } else {
          sections.append(UInt16(try section(of: text, collator, writer)))
        }
      }
      found[blockIndex] = sections
    }
    return texts.blocks.indices.flatMap { found[$0] ?? [] }
  }

  /// For each ASCII byte, the section of texts whose first character is that byte.
  private func sectionsOfASCII() throws -> [UInt16] {
    let collator = try Collator(locale, Self.settings)
    let writer = TextWriter()
    return try (0..<128).map { (byte: UInt8) in
      try withUnsafeBytes(of: byte) { UInt16(try section(of: $0, collator, writer)) }
    }
  }

  private func section(
    of text: UnsafeRawBufferPointer, _ collator: Collator, _ writer: TextWriter
  ) throws(TableError) -> Int {
    let rest = titles.count - 1
    // The first few characters determine the letter; making the key of the whole text would take
    // time proportional to its length.
    let units = UnsafeBufferPointer(
      rebasing: collator.codeUnits(of: UnsafeRawBufferPointer(rebasing: text.prefix(128)))
        .prefix(32))
    collator.appendKey(of: units, to: writer)
    let key = TextHeap(try writer.finish())
    // A binary search. At its end, `low` is the number of letters that are not after the text.
    var low = 0
    var high = rest
    while low < high {
      let middle = (low + high) / 2
      if keys.compare(middle, key.text(0)) == .after { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return rest }
    if low == rest, IndexLetters.firstScript(of: units) != lastScript { return rest }
    return low - 1
  }
}

extension DistinctValues {
  /// Strings as texts, other values as null.
  fileprivate func asTexts() throws(TableError) -> TextHeap {
    switch storage {
    case .texts(let texts): texts
    case .values(let values): try TextHeap(strings: values)
    }
  }
}
