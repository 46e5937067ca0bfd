/// The ways to read the first rows of a text as a table with the dialects that the options permit.
struct TableReadings {
  let sample: TextSample
  let options: ReadOptions
  let fallback: UInt8
  /// The index in the sample at which the text begins.
  let start: Int
  let lineEnds: Dialect.LineEnds
  let givenDelimiter: UInt8?
  /// Whether spaces at the start of a field are skipped, because a quote follows some of them.
  private var skipsSpaces = false

  static let comments = ["##", "#", "%", "//"]

  /// - Parameters:
  ///   - delimiter: the delimiter that the options or the text specify.
  ///   - fallback: the delimiter if none is specified; a comma means that it is detected.
  init(
    of sample: TextSample, from start: Int, options: ReadOptions, delimiter: UInt8?,
    fallback: UInt8, lineEnds: Dialect.LineEnds
  ) {
    self.sample = sample
    self.start = start
    self.options = options
    self.fallback = fallback
    self.lineEnds = lineEnds
    givenDelimiter = delimiter
    skipsSpaces = hasQuotesAfterSpaces
  }

  /// Whether the options demand a header, or none; nil if they leave it open.
  var isHeaderGiven: Bool? { options.givenHeader }

  func rows(_ change: (inout Dialect) -> Void) -> SampleRows {
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

  /// The text as a table that begins with the first line and has the width of the first row.
  var plain: TableReading {
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
    let start = TableFinder.delimiters + [options.delimiter ?? fallback, UInt8(ascii: "\n")]
    var quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
    if case .character(let quote)? = options.quote { quotes.append(quote) }
    guard sample.hasQuote(quotes, afterSpacesAfter: start) else { return false }
    let plain = self.plain
    guard plain.rows.dialect.quote != nil, plain.rows.dialect.delimiter != UInt8(ascii: " ") else {
      return false
    }
    var other = self
    other.skipsSpaces = true
    let skipping = other.plain
    func quoted(_ rows: SampleRows) -> Int {
      rows.rows.reduce(0) { $0 + rows.fields(of: $1).count(where: \.isQuoted) }
    }
    return skipping.broken <= plain.broken && skipping.irregular <= plain.irregular
      && quoted(skipping.rows) > quoted(plain.rows)
  }

  /// A reading that explains the text much better than the plain one; nil if none does.
  func better(than plain: TableReading) -> TableReading? {
    guard options.keys == nil, plain.rows.rows.count > 1 else { return nil }
    if let escaped = withEscapes(plain) { return escaped }
    if let commented = withSemicolons(plain) { return commented }
    if plain.irregular == 0 {
      return plain.width == 1
        ? withRareDelimiter() ?? tableAfterLines() ?? withBlanks() : tableAfterTitle(plain)
    }
    if let unquoted = withoutQuotes(plain) { return unquoted }
    if let commented = withComments(plain) { return commented }
    if let quoted = withApostrophes(plain) { return quoted }
    let accepted = plain.exact + plain.padded - (isHeaderGiven == false ? 0 : 1)
    let rejectsMost = plain.rejected > accepted
    let isOneColumn = plain.width == 1 && plain.rejected > 0
    let found =
      rejectsMost || isOneColumn ? best(plain, rejectsMost: rejectsMost) : nil
    if let found = found ?? tableAtEnd(plain) {
      // Without a header, no line is skipped.
      guard isHeaderGiven != false, let row = found.droppedRow else { return found }
      // Rows are not lines before a table: it begins with them, although wider rows are rejected.
      let isPlain = row == 0 && found.rows.dialect.labels(unlike: plain.rows.dialect).isEmpty
      return isPlain ? nil : found.beginning(at: row)
    }
    return rejectsMost || isOneColumn ? withRareDelimiter() ?? withBlanks() : nil
  }

  /// The reading with the highest score that accepts most rows.
  private func best(_ plain: TableReading, rejectsMost: Bool) -> TableReading? {
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
    return best?.reading
  }

  /// All readings with the dialects that the options permit.
  /// - Parameter quotes: whether quotes may be ordinary characters.
  private func readings(quotes: Bool) -> [TableReading] {
    let plain = rows { _ in }.dialect
    let text = sample.bytes[start..<sample.count]
    let delimiters =
      givenDelimiter != nil || fallback != UInt8(ascii: ",")
      ? [plain.delimiter] : TableFinder.delimiters
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

  func hasLine(startingWith prefix: String) -> Bool {
    SampleRows(sample, from: start, dialect: Dialect(delimiter: 0, lineEnds: lineEnds, quote: nil))
      .rows.contains { sample.bytes[$0.start...].starts(with: prefix.utf8) }
  }

  static func hasEscapedQuote(_ text: ArraySlice<UInt8>) -> Bool {
    zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "\\") && $1 == UInt8(ascii: "\"") }
  }
}
