/// Readings that differ from the plain one in one respect.
extension TableReadings {
  /// In a text with tabs whose quotes do not balance, quotes are ordinary characters.
  func withoutQuotes(_ plain: TableReading) -> TableReading? {
    guard plain.broken > 0, options.quote == nil, plain.rows.dialect.delimiter == UInt8(ascii: "\t")
    else { return nil }
    var dialect = plain.rows.dialect
    (dialect.quote, dialect.skipsSpaces) = (nil, false)
    let rows = SampleRows(sample, from: start, dialect: dialect)
    let reading = TableReading(plain: rows)
    return reading.exact > 0 && reading.irregular < plain.irregular ? reading : nil
  }

  /// The plain reading without comment lines, if these are the irregular rows.
  func withComments(_ plain: TableReading) -> TableReading? {
    guard options.commentPrefix == nil else { return nil }
    for comment in Self.comments where hasLine(startingWith: comment) {
      var dialect = plain.rows.dialect
      dialect.comment = Array(comment.utf8)
      let reading = TableReading(plain: SampleRows(sample, from: start, dialect: dialect))
      let fits = plain.rows.rows.contains {
        $0.fields == reading.width && sample.bytes[$0.start...].starts(with: dialect.comment)
      }
      guard !fits, reading.width > 1, reading.exact > 1, reading.irregular * 2 <= plain.irregular
      else { continue }
      // The first row may lack the last fields.
      guard
        reading.rejected >= reading.exact + reading.padded
          || reading.rejected * 4 > reading.rows.rows.count && !reading.beginsWithHeader
      else { return reading }
      let fields = reading.rows.rows.map(\.fields)
      let common = fields.filter { width in fields.count { $0 == width } > 1 }
      let wide = TableReading(plain: reading.rows, width: common.max())
      return wide.exact > 1 ? wide : reading
    }
    return nil
  }

  /// A delimiter that few texts have, if all lines have it equally often.
  func withRareDelimiter() -> TableReading? {
    guard givenDelimiter == nil, fallback == UInt8(ascii: ",") else { return nil }
    let text = sample.bytes[start..<sample.count]
    for delimiter in Self.rareDelimiters where text.contains(delimiter) {
      let reading = TableReading(plain: rows { $0.delimiter = delimiter })
      if reading.width > 1, reading.irregular == 0, reading.rows.rows.count > 2 { return reading }
    }
    return nil
  }

  /// Separators of Hive and of records in ASCII, and characters that rarely occur in values.
  private static let rareDelimiters: [UInt8] = [
    0x01, 0x1F, UInt8(ascii: "~"), UInt8(ascii: "^"),
  ]

  /// A table whose delimiter is a blank: the same number of words in every row, some of them numbers
  /// or dates; in a table of two columns, all of them below the header.
  func withBlanks() -> TableReading? {
    guard givenDelimiter == nil else { return nil }
    let space = UInt8(ascii: " ")
    if let reading = fittingBlanks(TableReading(fitting: rows { $0.delimiter = space })) {
      return reading
    }
    guard options.commentPrefix == nil, sample.bytes[start] == UInt8(ascii: "#") else { return nil }
    // A header after a comment sign.
    let commented = rows { ($0.delimiter, $0.comment) = (space, Array("#".utf8)) }
    return fittingBlanks(TableReading(fitting: commented))
  }

  private func fittingBlanks(_ reading: TableReading) -> TableReading? {
    // Words below a single key are one column; names of rows have no key.
    guard reading.first == 0 || reading.rows.rows.first?.fields == reading.width - 1,
      reading.width > 1, reading.first < 2, reading.irregular == 0
    else { return nil }
    let fields = reading.completeRows.map { reading.rows.fields(of: $0) }
    let cells = fields.map { $0.map(\.cell) }
    let hasQuotes = reading.rows.rows.first.map { row in
      reading.rows.fields(of: row).allSatisfy(\.isQuoted)
    }
    guard let header = cells.first, cells.count > (hasQuotes == true ? 1 : 2),
      cells.dropFirst().allSatisfy({ !$0.contains("") }),
      HeaderGuess(header, above: Array(cells.dropFirst())) != .either || hasQuotes == true
    else { return nil }
    let areValues = cells.dropFirst().allSatisfy { row in
      row.allSatisfy { CellKind.isNumberOrDate($0) || CellKind.isMissing($0) }
    }
    return reading.width > 2 || areValues || hasQuotes == true ? reading : nil
  }

  /// The plain reading with apostrophes as quotes, if that makes all rows regular.
  func withApostrophes(_ plain: TableReading) -> TableReading? {
    let apostrophe = UInt8(ascii: "'")
    guard options.quote == nil, sample.bytes[start..<sample.count].contains(apostrophe) else {
      return nil
    }
    var dialect = plain.rows.dialect
    dialect.quote = apostrophe
    let reading = TableReading(plain: SampleRows(sample, from: start, dialect: dialect))
    let quoted = reading.rows.rows.count { row in
      reading.rows.fields(of: row).contains(where: \.isQuoted)
    }
    return reading.irregular == 0 && reading.width == plain.width && quoted > 1 ? reading : nil
  }

  /// The plain reading with `\` as escape, if that makes all rows regular. If they are regular without,
  /// each `\` must stand before a character that needs an escape, and one before a quote in a field
  /// without quotes, which other writers would quote.
  func withEscapes(_ plain: TableReading) -> TableReading? {
    guard options.escape == nil, let pairs = EscapePairs(sample, from: start, plain.rows.dialect),
      plain.irregular > 0 || pairs.areAllEscapes && hasEscapedQuoteWithoutQuotes(plain)
    else { return nil }
    var dialect = plain.rows.dialect
    dialect.escape = EscapePairs.escape
    let reading = TableReading(plain: SampleRows(sample, from: start, dialect: dialect))
    return reading.width > 1 && reading.irregular == 0 ? reading : nil
  }

  private func hasEscapedQuoteWithoutQuotes(_ plain: TableReading) -> Bool {
    guard let quote = plain.rows.dialect.quote else { return false }
    let pair = "\\" + String(Unicode.Scalar(quote))
    return plain.rows.rows.contains { row in
      plain.rows.fields(of: row).contains { !$0.isQuoted && $0.cell.contains(pair) }
    }
  }

  /// The plain reading without comments that begin with `; `, before a table with semicolons.
  func withSemicolons(_ plain: TableReading) -> TableReading? {
    let prefix = Array("; ".utf8)
    guard options.commentPrefix == nil, sample.bytes[start..<sample.count].starts(with: prefix)
    else { return nil }
    var dialect = plain.rows.dialect
    dialect.comment = prefix
    let reading = TableReading(plain: SampleRows(sample, from: start, dialect: dialect))
    return reading.width > 1 && reading.exact > 1 && reading.irregular <= plain.irregular
      ? reading : nil
  }
}

/// The backslashes of a sample and the characters after them.
struct EscapePairs {
  static let escape = UInt8(ascii: "\\")

  /// Whether a backslash stands only where a character needs an escape, and before a delimiter, a
  /// quote or a line end at least once.
  private(set) var areAllEscapes = true

  /// nil if no backslash stands before a delimiter, a quote or a line end.
  init?(_ sample: TextSample, from start: Int, _ dialect: Dialect) {
    let bytes = sample.bytes
    var place = start
    var hasEscape = false
    while let found = bytes.firstIndex(of: Self.escape, in: place..<sample.count) {
      switch bytes[found + 1] {
      case dialect.delimiter, dialect.quote ?? dialect.delimiter, 0x0A, 0x0D: hasEscape = true
      case Self.escape, UInt8(ascii: "N"): break
      default: areAllEscapes = false
      }
      place = min(found + 2, sample.count)
    }
    if !hasEscape { return nil }
  }
}
