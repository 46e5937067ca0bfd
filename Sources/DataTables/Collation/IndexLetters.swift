internal import _FoundationICU

/// The letters of a book index in a language.
enum IndexLetters {
  /// The letters in the order of the locale, and their keys. Only the first of several letters that
  /// differ only in accents is included.
  static func letters(
    of locale: CollationLocale, _ collator: Collator
  ) throws(TableError) -> (letters: [String], keys: TextHeap) {
    var letters = exemplars(of: locale)
    if letters.isEmpty {
      letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(Unicode.Scalar($0)) }
    }
    // At this strength, a letter without accents sorts before the same letter with accents.
    let identical = try Collator(locale, Collator.Settings(strength: .identical))
    let identicalKeys = try keys(of: letters, identical)
    let order = letters.indices.sorted {
      identicalKeys.compare($0, identicalKeys.text($1)) == .before
    }
    let primaryKeys = try keys(of: letters, collator)
    var chosen: [Int] = []
    for index in order
    where chosen.last.map({ primaryKeys.compare($0, primaryKeys.text(index)) }) != .same {
      chosen.append(index)
    }
    letters = chosen.map { letters[$0] }
    return (letters, try keys(of: letters, collator))
  }

  private static func keys(
    of letters: [String], _ collator: Collator
  ) throws(TableError) -> TextHeap {
    let writer = TextWriter()
    for letter in letters {
      var letter = letter
      letter.withUTF8 {
        collator.appendKey(of: collator.codeUnits(of: UnsafeRawBufferPointer($0)), to: writer)
      }
    }
    return TextHeap(try writer.finish())
  }

  /// The index exemplar characters of CLDR; empty for the root.
  private static func exemplars(of locale: CollationLocale) -> [String] {
    var status = U_ZERO_ERROR
    guard let data = swift_ulocdata_open(locale.identifier, &status) else { return [] }
    defer { swift_ulocdata_close(data) }
    let set = swift_uset_openEmpty()
    defer { swift_uset_close(set) }
    _ = swift_ulocdata_getExemplarSet(data, set, 0, ULOCDATA_ES_INDEX, &status)
    guard status.rawValue <= U_ZERO_ERROR.rawValue else { return [] }
    var letters: [String] = []
    for item in 0..<swift_uset_getItemCount(set) {
      letters += exemplars(item, of: set)
    }
    return letters
  }

  /// The letters of one item of a set: a range of letters, or several characters that count as one
  /// letter.
  private static func exemplars(_ item: Int32, of set: OpaquePointer?) -> [String] {
    var status = U_ZERO_ERROR
    var first: Int32 = 0
    var last: Int32 = 0
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 64) { buffer in
      let length = swift_uset_getItem(set, item, &first, &last, buffer.baseAddress, 64, &status)
      guard status.rawValue <= U_ZERO_ERROR.rawValue else { return [] }
      if length > 0 { return [String(decoding: buffer.prefix(Int(length)), as: UTF16.self)] }
      guard first <= last else { return [] }
      return (first...last).compactMap { Unicode.Scalar(UInt32(bitPattern: $0)).map { String($0) } }
    }
  }

  /// The script of a character; hiragana and katakana count as one script.
  static func script(of scalar: Unicode.Scalar) -> Int32 {
    let script = swift_u_getIntPropertyValue(Int32(bitPattern: scalar.value), UCHAR_SCRIPT)
    return script == Int32(USCRIPT_KATAKANA.rawValue) ? Int32(USCRIPT_HIRAGANA.rawValue) : script
  }

  /// The script of the first letter; nil for a text without letters.
  static func firstScript(of units: UnsafeBufferPointer<UInt16>) -> Int32? {
    String(decoding: units, as: UTF16.self).unicodeScalars.first { $0.properties.isAlphabetic }
      .map(script)
  }
}
