/// Decides whether a text whose name and options do not demand a delimited format is a table, not
/// prose, a configuration or the source of a program.
struct TableCheck {
  private let rows: [SampleRows.Row]
  private let reading: TableReading
  private let layout: TableLayout
  private let fixes: TableFixes
  private let isProgram: Bool

  /// - Parameters:
  ///   - reading: the reading of the text's first rows.
  ///   - layout: the layout that follows from it.
  init(_ reading: TableReading, _ layout: TableLayout, of sample: TextSample) {
    self.reading = reading
    self.layout = layout
    fixes = TableFixes(reading, of: sample)
    isProgram = sample.bytes.starts(with: "#!".utf8)
    rows = reading.rows.rows
  }

  /// The error about a text that is not a table; nil if it may be one.
  var error: TableError? {
    fault.map { fault in
      .format(
        "the text is not a table in a known format: \(fault); add "
          + fixes.all.joined(separator: ", or "), at: nil)
    }
  }

  private var fault: String? {
    guard let first = rows.first else { return nil }
    if isProgram { return "it is a program" }
    if rows.count == 1 {
      let words = reading.rows.cells(of: first).map { Self.words(in: $0) }
      if words.contains(where: { $0 > 3 }) { return "its only line is a sentence" }
      return words.count == 1 ? "its only line is a single value" : headerFault
    }
    if fixes.hasVerticalRecords {
      return
        "its records have a line for each value (print them as a table, without `\\G` or `\\x`)"
    }
    if reading.width > 1 {
      let isIrregular = reading.exact < rows.count - reading.exact
      if isIrregular, fixes.hasDelimiter { return "its lines have another delimiter" }
      return isIrregular
        ? "most of its lines do not have the same number of fields" : headerFault
    }
    if fixes.hasDelimiter { return "its lines have another delimiter" }
    if reading.rejected * 50 > rows.count {
      return "its lines do not have the same number of fields"
    }
    let indented = rows.count { reading.rows.isIndented($0) }
    if indented > 0, indented < rows.count { return "some of its lines are indented" }
    let sentences = rows.count { Self.words(in: reading.rows.cells(of: $0).joined()) > 4 }
    return sentences * 3 > rows.count ? "its lines are sentences" : headerFault
  }

  /// A fault of a header of words above words. A word above numbers or dates is a header.
  private var headerFault: String? {
    guard layout.header == .line || layout.header == .withoutRowNames,
      let place = rows.firstIndex(where: { reading.rows.offset(of: $0) >= layout.start }),
      !rows[place].isBroken
    else { return nil }
    let header = reading.rows.cells(of: rows[place])
    let below = rows[(place + 1)...].prefix(30).map { reading.rows.cells(of: $0) }
    guard HeaderGuess(header, above: below) == .either else { return nil }
    let isTable = header.count > 1
    let areNames = header.indices.allSatisfy { column in
      let isOuter = column == 0 || column == header.count - 1
      return isTable && isOuter && header[column].isEmpty
        || ColumnName.isPlausible(header[column], isOnly: !isTable)
    }
    guard areNames else {
      return "line \(reading.rows.line(of: rows[place])) does not have names of columns"
    }
    if isTable { return nil }
    let values = below.count { ColumnName.isSingleValue($0.joined()) }
    return values * 4 < below.count * 3 ? "its lines have no delimiter" : nil
  }

  private static func words(in cell: String) -> Int {
    cell.split { $0 == " " || $0 == "\t" }.count { $0.contains(where: \.isLetter) }
  }
}

/// The form of names of columns and of values in text without quotes.
private enum ColumnName {
  /// Whether a cell may be the name of a column.
  /// - Parameter isOnly: whether the table has no other column.
  static func isPlausible(_ cell: String, isOnly: Bool) -> Bool {
    let name = cell.trimmed
    let words = name.split { $0 == " " || $0 == "\t" }
    guard let first = words.first, let start = first.first, words.count <= 8,
      !name.utf8.contains(where: marks.contains), hasPairs(name), !name.contains(", "),
      !name.hasSuffix(",")
    else { return false }
    if "#/-+!~,.:=*".contains(start), first.count > 1 { return false }
    // A path, a comment, an item of a list, `name: value` or an address and a name.
    if words.dropFirst().contains(where: { $0.hasPrefix("/") && $0.count > 1 }) { return false }
    guard isOnly else { return true }
    return start.isLetter && !words.contains { $0.hasSuffix(":") }
      && words.allSatisfy { $0.contains { $0.isLetter || $0.isNumber } }
  }

  /// Bytes of programs and configurations.
  private static let marks = Set("{}=;<>\"\\`".utf8)

  /// Whether parentheses and brackets are closed in the name.
  private static func hasPairs(_ name: String) -> Bool {
    name.count { $0 == "(" } == name.count { $0 == ")" }
      && name.count { $0 == "[" } == name.count { $0 == "]" }
  }

  /// Whether a line without delimiter is one value: one word, or a few without marks.
  static func isSingleValue(_ line: String) -> Bool {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard let first = words.first else { return true }
    if words.count == 1 { return !"#{}".contains(first[first.startIndex]) }
    return words.count <= 6 && !words[1].hasPrefix("/")
      && !line.utf8.contains(where: marks.contains)
      && !"#/-*!".contains(first[first.startIndex]) && !first.hasSuffix(":")
  }
}

extension FormatInput {
  /// Whether neither the name nor an option specifies that the text is delimited.
  fileprivate var mayBeProse: Bool {
    let ends = (CSVFormat().extensions + TSVFormat().extensions).map { "." + $0 }
    let demands = Set(ReadOption.tableLabels.map(\.name))
    return options.format == nil && !ends.contains(where: name.lowercased().hasSuffix)
      && demands.isDisjoint(with: options.given)
  }

  /// - Throws: ``TableError/format(_:at:)`` for a text that is prose.
  func checkTable(_ text: any ByteStore) throws {
    guard mayBeProse else { return }
    let sample = try TextSample(text, size: ScanSizes().sample)
    let finder = try TableFinder(sample, options: options, fallback: UInt8(ascii: ","))
    let check = TableCheck(finder.reading, try finder.layout(), of: sample)
    if let error = check.error { throw error }
  }
}
