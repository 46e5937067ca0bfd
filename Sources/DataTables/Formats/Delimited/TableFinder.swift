/// Finds the table in a delimited text: its dialect, the lines before it, its header and its width
/// are chosen together, so that most of the first hundred rows have the same number of fields.
///
/// The plain reading comes first: the table begins with the first line, and its width is that of
/// the first row. Other readings count only if the plain one would reject most rows, or if they
/// explain its irregular rows as comments. Options that are given are never changed.
struct TableFinder {
  private let sample: TextSample
  private let options: ReadOptions
  private let fallback: UInt8
  /// The index in the sample after a `sep=` line.
  private let start: Int
  private let notes: [String]
  private let lineEnds: Dialect.LineEnds
  private let hasLoneReturn: Bool
  private let givenDelimiter: UInt8?
  /// Whether spaces at the start of a field are skipped, because a quote follows some of them.
  private var skipsSpaces = false

  static let delimiters = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
  private static let comments = ["##", "#", "%", "//"]

  /// - Parameter fallback: the delimiter if the options specify none; a comma means that the
  ///   delimiter is detected.
  /// - Throws: ``TableError/badArgument(_:)`` for options that contradict each other or the text.
  init(_ sample: TextSample, options: ReadOptions, fallback: UInt8) throws(TableError) {
    try options.checkDialect()
    self.sample = sample
    self.options = options
    self.fallback = fallback
    hasLoneReturn = sample.hasLoneReturn
    var start = 0
    var delimiter = options.delimiter
    var notes: [String] = []
    let lines = Dialect(delimiter: 0, lineEnds: hasLoneReturn ? .any : .lf)
    if options.skippedLines == nil, let separator = Self.separatorLine(sample) {
      start = sample.endOfFirstLine(lines) ?? sample.count
      delimiter = delimiter ?? separator
      let text = separator == 9 ? "\\t" : String(Character(Unicode.Scalar(separator)))
      notes.append("line 1 is `sep=\(text)`, which sets the delimiter")
    }
    self.start = start
    self.notes = notes
    givenDelimiter = delimiter
    lineEnds =
      hasLoneReturn
      ? Self.lineEnds(
        of: sample, from: start,
        delimiters: delimiter.map { [$0] }
          ?? (fallback == Self.delimiters[0] ? Self.delimiters : [fallback]))
      : .lf
    skipsSpaces = hasQuotesAfterSpaces
  }

  func layout() throws(TableError) -> TableLayout {
    let plain = plainReading
    var layout = TableLayout(
      dialect: plain.rows.dialect,
      lineEnds: LineEndSample(sample, dialect: plain.rows.dialect))
    layout.start = sample.offset + start
    layout.hasLoneReturn = hasLoneReturn
    layout.notes = notes
    if let keys = options.keys, keys.isEmpty { throw .badArgument("`keys:` must not be empty") }
    layout.header = isHeaderGiven ?? true ? .line : .none
    let better = betterReading(than: plain)
    if let header = headerComment(of: better ?? plain) {
      header.apply(to: &layout, plain: plain.rows.dialect)
    } else if let found = better {
      let place = TablePlace(of: found, plain: plain, header: isHeaderGiven)
      if options.skippedLines == nil || place.skipped == nil {
        place.apply(to: &layout, plain: plain.rows.dialect)
      }
    }
    for (label, byte) in [("quote", layout.dialect.quote), ("escape", layout.dialect.escape)]
    where byte == layout.dialect.delimiter {
      throw .badArgument(
        "`\(label):` is also the delimiter; use another character, or add `delimiter:`")
    }
    if layout.dialect.comment == [layout.dialect.delimiter] {
      throw .badArgument(
        "the comment prefix `\(options.commentPrefix ?? "")` is also the delimiter; "
          + "use a longer prefix or another delimiter")
    }
    return layout
  }

  /// The reading that explains the text best.
  var reading: TableReading {
    let plain = plainReading
    return betterReading(than: plain) ?? plain
  }

  /// Whether the options demand a header, or none; nil if they leave it open.
  private var isHeaderGiven: Bool? { options.hasHeader ?? (options.keys == nil ? nil : false) }
}

// Readings.
extension TableFinder {
  private func rows(_ change: (inout Dialect) -> Void) -> SampleRows {
    var dialect = Dialect(delimiter: givenDelimiter ?? fallback, lineEnds: lineEnds)
    dialect.comment = Array((options.commentPrefix ?? "").utf8)
    dialect.escape = options.escape
    switch options.quote {
    case .some(.none): dialect.quote = nil
    case .character(let quote): dialect.quote = quote
    case nil: break
    }
    change(&dialect)
    dialect.skipsSpaces =
      skipsSpaces && dialect.quote != nil && dialect.delimiter != UInt8(ascii: " ")
    return SampleRows(sample, from: start, dialect: dialect)
  }

  private var plainReading: TableReading {
    var rows = rows { _ in }
    if givenDelimiter == nil, fallback == UInt8(ascii: ",") {
      let delimiter = DelimiterCount(sample, from: start, dialect: rows.dialect).likely
      if delimiter != fallback { rows = self.rows { $0.delimiter = delimiter } }
    }
    return TableReading(plain: rows, width: options.keys?.count)
  }

  /// Whether more fields are quoted if the spaces before quotes are skipped, and no more rows are
  /// irregular.
  private var hasQuotesAfterSpaces: Bool {
    let start = Self.delimiters + [options.delimiter ?? fallback, UInt8(ascii: "\n")]
    var quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    if case .character(let quote)? = options.quote { quotes.append(quote) }
    guard sample.hasQuote(quotes, afterSpacesAfter: start) else { return false }
    let plain = plainReading
    guard plain.rows.dialect.quote != nil, plain.rows.dialect.delimiter != UInt8(ascii: " ") else {
      return false
    }
    var finder = self
    finder.skipsSpaces = true
    let skipping = finder.plainReading
    func quoted(_ rows: SampleRows) -> Int {
      rows.rows.reduce(0) { $0 + rows.fields(of: $1).count(where: \.isQuoted) }
    }
    return skipping.broken <= plain.broken && skipping.irregular <= plain.irregular
      && quoted(skipping.rows) > quoted(plain.rows)
  }

  /// The header in the comment line before the rows of a reading, or in its first row if that is the
  /// only one that looks like a comment.
  private func headerComment(of reading: TableReading) -> HeaderComment? {
    guard isHeaderGiven == nil, options.skippedLines == nil else { return nil }
    if let header = HeaderComment(of: reading) { return header }
    let sign = UInt8(ascii: "#")
    let isComment = reading.rows.rows.map { sample.bytes[$0.start] == sign }
    guard options.commentPrefix == nil, isComment.first == true,
      !isComment.dropFirst().contains(true)
    else { return nil }
    var dialect = reading.rows.dialect
    dialect.comment = [sign]
    return HeaderComment(
      of: TableReading(plain: SampleRows(sample, from: start, dialect: dialect)))
  }

  /// A reading that explains the text much better than the plain one; nil if none does.
  private func betterReading(than plain: TableReading) -> TableReading? {
    guard options.keys == nil, plain.rows.rows.count > 1 else { return nil }
    if plain.irregular == 0 { return plain.width == 1 ? tableAfterLines() ?? withBlanks() : nil }
    if let unquoted = withoutQuotes(plain) { return unquoted }
    if let commented = withComments(plain) { return commented }
    if let escaped = withEscapes(plain) { return escaped }
    let accepted = plain.exact + plain.padded - (isHeaderGiven == false ? 0 : 1)
    let rejectsMost = plain.rejected > accepted
    guard rejectsMost || plain.width == 1 && plain.rejected > 0 else { return nil }
    var best: (reading: TableReading, score: Double)?
    for reading in readings(quotes: plain.broken * 2 >= plain.rows.rows.count) {
      let score = reading.score
      guard reading.exact > 1 || reading.padded > 1,
        reading.rejected * 2 <= reading.exact + reading.padded,
        rejectsMost || reading.irregular == 0,
        score > best?.score ?? 0
      else { continue }
      best = (reading, score)
    }
    return best?.reading ?? (rejectsMost ? withBlanks() : nil)
  }

  /// A table whose delimiter is a blank: at least three columns, some of numbers or dates, and the
  /// same number of words in every row.
  private func withBlanks() -> TableReading? {
    guard givenDelimiter == nil else { return nil }
    let reading = TableReading(fitting: rows { $0.delimiter = UInt8(ascii: " ") })
    // Words below a single key are one column; names of rows have no key.
    guard reading.first == 0 || reading.rows.rows.first?.fields == reading.width - 1 else {
      return nil
    }
    let cells = reading.completeRows.map { reading.rows.cells(of: $0) }
    guard reading.width > 2, reading.first < 2, reading.irregular == 0, let header = cells.first,
      cells.count > 2, cells.dropFirst().allSatisfy({ !$0.contains("") }),
      HeaderGuess(header, above: Array(cells.dropFirst())) != .either
    else { return nil }
    return reading
  }

  /// All readings with the dialects that the options permit.
  /// - Parameter quotes: whether quotes may be ordinary characters.
  private func readings(quotes: Bool) -> [TableReading] {
    let plain = rows { _ in }.dialect
    let text = sample.bytes[start..<sample.count]
    let delimiters =
      givenDelimiter != nil || fallback != UInt8(ascii: ",") ? [plain.delimiter] : Self.delimiters
    var quoteChoices: [UInt8?] = [plain.quote]
    if options.quote == nil {
      if text.contains(UInt8(ascii: "'")) { quoteChoices.append(UInt8(ascii: "'")) }
      if quotes { quoteChoices.append(nil) }
    }
    var escapes: [UInt8?] = [plain.escape]
    if options.escape == nil, Self.hasEscapedQuote(text) { escapes.append(UInt8(ascii: "\\")) }
    let comments = options.commentPrefix == nil ? [""] + Self.comments : [""]
    var readings: [TableReading] = []
    for comment in comments where comment.isEmpty || hasLine(startingWith: comment) {
      for delimiter in delimiters {
        for quote in quoteChoices {
          for escape in escapes where escape == nil || escape != quote {
            let rows = rows {
              if !comment.isEmpty { $0.comment = Array(comment.utf8) }
              ($0.delimiter, $0.quote, $0.escape) = (delimiter, quote, escape)
            }
            readings.append(TableReading(fitting: rows))
          }
        }
      }
    }
    return readings
  }

  /// In a text with tabs whose quotes do not balance, quotes are ordinary characters.
  private func withoutQuotes(_ plain: TableReading) -> TableReading? {
    guard plain.broken > 0, options.quote == nil, plain.rows.dialect.delimiter == UInt8(ascii: "\t")
    else { return nil }
    var dialect = plain.rows.dialect
    (dialect.quote, dialect.skipsSpaces) = (nil, false)
    let rows = SampleRows(sample, from: start, dialect: dialect)
    let reading = TableReading(plain: rows)
    return reading.exact > 0 && reading.irregular < plain.irregular ? reading : nil
  }

  /// The plain reading with escaped quotes, if the rows with these are the irregular ones.
  private func withEscapes(_ plain: TableReading) -> TableReading? {
    let text = sample.bytes[start..<sample.count]
    guard plain.broken > 0, options.escape == nil, Self.hasEscapedQuote(text) else { return nil }
    var dialect = plain.rows.dialect
    dialect.escape = UInt8(ascii: "\\")
    let reading = TableReading(plain: SampleRows(sample, from: start, dialect: dialect))
    return reading.width == plain.width && reading.irregular == 0 ? reading : nil
  }

  /// The plain reading without comment lines, if these are the irregular rows.
  private func withComments(_ plain: TableReading) -> TableReading? {
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
      guard reading.rejected >= reading.exact + reading.padded else { return reading }
      // The first row may lack the last fields.
      let fields = reading.rows.rows.map(\.fields)
      let common = fields.filter { width in fields.count { $0 == width } > 1 }
      let wide = TableReading(plain: reading.rows, width: common.max())
      return wide.exact > 1 ? wide : reading
    }
    return nil
  }

  /// The table after lines without delimiters, in a text that is otherwise read as one column.
  private func tableAfterLines() -> TableReading? {
    guard givenDelimiter == nil, fallback == UInt8(ascii: ","), options.skippedLines == nil,
      isHeaderGiven == nil
    else { return nil }
    let found = Self.delimiters.map { delimiter in
      TableReading(fitting: rows { $0.delimiter = delimiter })
    }
    return found.first { reading in
      guard reading.width > 1, (1...20).contains(reading.first), reading.irregular == 0,
        reading.exact > 1, let header = reading.completeRows.first
      else { return false }
      let below = reading.completeRows.dropFirst().prefix(30).map { reading.rows.cells(of: $0) }
      let guess = HeaderGuess(reading.rows.cells(of: header), above: below)
      return guess == .header || guess == .either && reading.exact > 3
    }
  }

  private func hasLine(startingWith prefix: String) -> Bool {
    SampleRows(sample, from: start, dialect: Dialect(delimiter: 0, lineEnds: lineEnds, quote: nil))
      .rows.contains { sample.bytes[$0.start...].starts(with: prefix.utf8) }
  }

  private static func hasEscapedQuote(_ text: ArraySlice<UInt8>) -> Bool {
    zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "\\") && $1 == UInt8(ascii: "\"") }
  }

  /// CR ends lines, unless every line that ends at LF has the same number of fields, and none
  /// begins with CR: then CR is part of a field.
  private static func lineEnds(
    of sample: TextSample, from start: Int, delimiters: [UInt8]
  ) -> Dialect.LineEnds {
    for delimiter in delimiters {
      let rows = SampleRows(sample, from: start, dialect: Dialect(delimiter: delimiter))
      let reading = TableReading(plain: rows)
      let startsWithReturn = rows.rows.contains { sample.bytes[$0.start] == UInt8(ascii: "\r") }
      if reading.width > 1, rows.rows.count > 1, reading.irregular == 0, !startsWithReturn {
        return .lf
      }
    }
    return .any
  }

  /// The delimiter of a first line such as `sep=;`, which spreadsheets write.
  private static func separatorLine(_ sample: TextSample) -> UInt8? {
    var line = sample.bytes[..<sample.count].prefix { $0 != 0x0A && $0 != 0x0D }
    if line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\""), line.count == 7 {
      line = line.dropFirst().dropLast()
    }
    guard line.count == 5, let separator = line.last, separator < 0x80, separator != 0x22,
      String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep="
    else { return nil }
    return separator
  }
}
