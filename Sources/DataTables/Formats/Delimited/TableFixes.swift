/// Labels that read a text without a table.
struct TableFixes {
  private let reading: TableReading
  private let sample: TextSample
  private let lines: [ArraySlice<UInt8>]

  /// - Parameter reading: the reading of the text's first rows.
  init(_ reading: TableReading, of sample: TextSample) {
    self.reading = reading
    self.sample = sample
    lines = reading.rows.rows.map { sample.bytes[$0.start..<$0.end] }
      .map { line in line.prefix { $0 != 0x0A && $0 != 0x0D } }
  }

  /// Each with its effect: `` `header: false` to read each line as a row``. Not empty; each reads the
  /// text when it is added to the command.
  var all: [String] {
    if let printed { return [printed] }
    if let delimited { return [delimited] }
    if let ragged { return [ragged] }
    if !lines.contains(where: { $0.contains(where: \.isBlank) }), reading.width == 1 {
      return ["\(SuggestedLabels("header", "false")) to read each line as a row"]
    }
    var fixes: [String] = []
    // Nearly all rows must have the same number of fields.
    if reading.width > 1, reading.irregular * 10 <= reading.rows.rows.count {
      fixes.append("\(SuggestedLabels("format", "csv")) to read it as CSV")
    }
    return fixes + [pattern]
  }

  /// Whether the text has a line for each value of a record, and a heading above each record, as
  /// `mysql` and `psql` print it.
  var hasVerticalRecords: Bool {
    guard let first = lines.first.map({ String(decoding: $0, as: UTF8.self) }) else { return false }
    return first.hasPrefix("-[ RECORD 1 ]")
      || first.hasPrefix("***") && first.hasSuffix("***")
        && first.contains(" 1. row ")
  }

  /// A table as programs print it, between other lines.
  private var printed: String? {
    let text = PrintedLines(Array(sample.bytes[..<sample.count]), isWhole: sample.isWhole)
    guard let table = PrintedTable(text, from: 0), !table.rows.isEmpty,
      table.problems.count <= table.rows.count
    else { return nil }
    return "\(SuggestedLabels("format", "table")) to read the table at line \(table.start + 1)"
  }

  /// Keys for rows that are longer than the header.
  private var ragged: String? {
    let rows = reading.rows.rows
    guard reading.first == 0, reading.width > 1, reading.rows.dialect.comment.isEmpty,
      let most = rows.map(\.fields).max(), most > reading.width, most <= 64,
      rows.allSatisfy({ $0.fields > 1 })
    else { return nil }
    let cells = rows.prefix(30).map { reading.rows.cells(of: $0) }
    guard HeaderGuess(cells[0], above: Array(cells.dropFirst())) == .header else { return nil }
    let keys = HeaderKeys.fitted(cells[0].map(\.trimmed), to: most)
    let labels = SuggestedLabels("header", "true") + SuggestedLabels("keys", keys)
    return "\(labels) to read it as CSV"
  }

  /// Whether each line has a rare delimiter equally often.
  var hasDelimiter: Bool { delimited != nil }

  /// A rare delimiter that occurs equally often in each line, first after a word. Colons are not
  /// those of times or addresses, other delimiters not between digits.
  private var delimited: String? {
    guard lines.count > 1, let first = lines.first else { return nil }
    let found = ":=^~!*".utf8.first { delimiter in
      let count = first.count { $0 == delimiter }
      return count > 0
        && lines.allSatisfy { line in
          line.count { $0 == delimiter } == count
            && (delimiter == UInt8(ascii: ":") || !Self.hasDigits(around: delimiter, in: line))
            && !line.prefix { $0 != delimiter }.contains(where: \.isBlank)
        }
    }
    guard let found, found != UInt8(ascii: ":") || !haveTimesOrAddresses else { return nil }
    let label = SuggestedLabels("delimiter", String(Unicode.Scalar(found)))
    var dialect = reading.rows.dialect
    dialect.delimiter = found
    let rows = SampleRows(sample, from: 0, dialect: dialect)
    let cells = rows.rows.prefix(30).map { rows.cells(of: $0) }
    let hasHeader = HeaderGuess(cells.first ?? [], above: Array(cells.dropFirst())) == .header
    let labels = hasHeader ? label : label + SuggestedLabels("header", "false")
    return "\(labels) to split its lines"
  }

  /// Whether most lines have a time such as `10:00`, or consist of pairs of digits, as addresses of
  /// network cards do.
  private var haveTimesOrAddresses: Bool {
    let colon = UInt8(ascii: ":")
    let count = lines.count { line in
      let parts = line.split(separator: colon, omittingEmptySubsequences: false)
      let areTimes = zip(parts, parts.dropFirst()).contains { hours, minutes in
        let hours = hours.suffix(2), minutes = minutes.prefix(3)
        let isHour = Int(String(decoding: hours.drop { !$0.isDigit }, as: UTF8.self)).map {
          $0 < 25
        }
        let isMinute =
          minutes.count >= 2 && minutes.prefix(2).allSatisfy(\.isDigit)
          && minutes.first.map { $0 < UInt8(ascii: "6") } == true
        return isHour == true && isMinute && minutes.dropFirst(2).first?.isDigit != true
      }
      return areTimes || parts.allSatisfy { $0.count == 2 }
    }
    return count * 2 >= lines.count
  }

  /// Whether a byte stands between two digits: `10=00`.
  private static func hasDigits(around byte: UInt8, in line: ArraySlice<UInt8>) -> Bool {
    line.indices.contains { index in
      line[index] == byte && index > line.startIndex && index + 1 < line.endIndex
        && line[index - 1].isDigit && line[index + 1].isDigit
    }
  }

  private var pattern: String {
    let words = #"(?<first>\S+) +(?<rest>.*)"#
    let count = (try? GroupedPattern(words).count(of: lines)) ?? 0
    // A line that does not match, such as an indented one, would be joined to the one before it.
    guard count == lines.count else {
      return "\(SuggestedLabels("pattern", "(?<line>.*)")) to read each line as a row"
    }
    return "\(SuggestedLabels("pattern", words)) to split its lines"
  }
}
