/// Finds the table in a delimited text: its dialect, the lines before it, its header and its width
/// are chosen together, so that most of the first hundred rows have the same number of fields.
///
/// The plain reading comes first: the table begins with the first line, and its width is that of
/// the first row. Other readings count only if the plain one would reject most rows, or if they
/// explain its irregular rows as comments. Options that are given are never changed.
struct TableFinder {
  private let sample: TextSample
  private let options: ReadOptions
  private let readings: TableReadings
  /// The index in the sample after a `sep=` line.
  private let start: Int
  private let notes: [String]
  private let hasLoneReturn: Bool

  static let delimiters = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }

  /// - Parameter fallback: the delimiter if the options specify none; a comma means that the
  ///   delimiter is detected.
  /// - Throws: ``TableError/badArgument(_:)`` for options that contradict each other or the text.
  init(_ sample: TextSample, options: ReadOptions, fallback: UInt8) throws(TableError) {
    try options.checkDialect()
    self.sample = sample
    self.options = options
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
    readings = TableReadings(
      of: sample, from: start, options: options, delimiter: delimiter, fallback: fallback,
      lineEnds: hasLoneReturn
        ? Self.lineEnds(
          of: sample, from: start,
          delimiters: delimiter.map { [$0] }
            ?? (fallback == Self.delimiters[0] ? Self.delimiters : [fallback])) : .lf)
  }

  /// Whether CR ends lines.
  var endsLinesAtReturn: Bool { hasLoneReturn && readings.lineEnds == .any }

  func layout() throws(TableError) -> TableLayout {
    let plain = readings.plain
    var layout = TableLayout(
      dialect: plain.rows.dialect,
      lineEnds: LineEndSample(sample, dialect: plain.rows.dialect))
    layout.start = sample.offset + start
    layout.hasLoneReturn = hasLoneReturn
    layout.notes = notes
    if let keys = options.keys, keys.isEmpty { throw .badArgument("`keys:` must not be empty") }
    layout.header = isHeaderGiven ?? true ? .line : .none
    let better = readings.better(than: plain)
    if let header = headerComment(of: better ?? plain) {
      header.apply(to: &layout, plain: plain.rows.dialect)
    } else if let found = better {
      let place = TablePlace(of: found, plain: plain, header: isHeaderGiven)
      if options.skippedLines == nil || place.skipped == nil {
        place.apply(to: &layout, plain: plain.rows.dialect)
      }
    } else if isHeaderGiven == nil {
      layout.mayStartWithData = Self.mayStartWithData(plain.rows)
    }
    layout.notes += commentNotes((better ?? plain).rows)
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

  /// A note on rows that look like comments, if some of them have fewer fields than the first row.
  private func commentNotes(_ rows: SampleRows) -> [String] {
    guard rows.dialect.comment.isEmpty, let width = rows.rows.first?.fields, width > 1 else {
      return []
    }
    let marked = rows.rows.filter { sample.bytes[$0.start] == UInt8(ascii: "#") }
    guard let first = marked.first, marked.count * 2 < rows.rows.count,
      marked.contains(where: { $0.fields < width })
    else { return [] }
    let labels = SuggestedLabels("comment", "#")
    return ["line \(rows.line(of: first)) may be a comment; add \(labels) to skip such lines"]
  }

  /// Whether the first row may be data: one of its cells is a number or a date, as are the cells
  /// below it if there are any, and no cell is a word above numbers. Years and consecutive numbers
  /// are names of columns, too.
  private static func mayStartWithData(_ rows: SampleRows) -> Bool {
    guard let first = rows.rows.first else { return false }
    let cells = rows.cells(of: first)
    if cells.count == 1, areValues(rows) { return true }
    let typed = cells.filter(CellKind.isNumberOrDate)
    guard !typed.isEmpty else { return false }
    let numbers = typed.compactMap { Int($0) }
    let areNames =
      numbers.count == typed.count
      && (numbers.allSatisfy { (1000...2999).contains($0) } || HeaderGuess.areConsecutive(cells))
    let below = rows.rows.dropFirst().prefix(20).map { rows.cells(of: $0) }
    return !areNames && (below.isEmpty || HeaderGuess(cells, above: below) == .data)
  }

  /// Whether all lines of a single column have blanks and digits, unlike most names of columns.
  private static func areValues(_ rows: SampleRows) -> Bool {
    rows.rows.count > 1
      && rows.rows.prefix(20).allSatisfy { row in
        let cell = rows.cells(of: row).first ?? ""
        return cell.utf8.contains(UInt8(ascii: " ")) && cell.utf8.contains(where: \.isDigit)
      }
  }

  /// The reading that explains the text best.
  var reading: TableReading {
    let plain = readings.plain
    return readings.better(than: plain) ?? plain
  }

  /// Whether the options demand a header, or none; nil if they leave it open.
  private var isHeaderGiven: Bool? { options.givenHeader }

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

extension ReadOptions {
  /// Whether the options demand a header, or none; nil if they leave it open.
  var givenHeader: Bool? { hasHeader ?? (keys == nil ? nil : false) }
}
