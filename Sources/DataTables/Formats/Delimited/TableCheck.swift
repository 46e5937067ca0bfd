/// Decides whether a text whose name and options do not demand a delimited format is a table, not
/// prose or the source of a program.
struct TableCheck {
  private let rows: [SampleRows.Row]
  private let reading: TableReading

  /// - Parameter reading: the reading of the text's first rows.
  init(_ reading: TableReading) {
    self.reading = reading
    rows = reading.rows.rows
  }

  /// The reason why the text is not a table; nil if it may be one.
  var fault: String? {
    guard let first = rows.first else { return nil }
    if rows.count == 1 {
      let words = reading.rows.cells(of: first).map { Self.words(in: $0) }
      return words.contains { $0 > 3 } ? "its only line is a sentence" : nil
    }
    if reading.width > 1 {
      return reading.exact < rows.count - reading.exact
        ? "most of its lines do not have the same number of fields" : nil
    }
    if reading.rejected * 50 > rows.count {
      return "its lines do not have the same number of fields"
    }
    let indented = rows.count { reading.rows.isIndented($0) }
    if indented > 0, indented < rows.count { return "some of its lines are indented" }
    let sentences = rows.count { Self.words(in: reading.rows.cells(of: $0).joined()) > 4 }
    return sentences * 3 > rows.count ? "its lines are sentences" : nil
  }

  private static func words(in cell: String) -> Int {
    cell.split { $0 == " " || $0 == "\t" }.count { $0.contains(where: \.isLetter) }
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
    guard let fault = TableCheck(finder.reading).fault else { return }
    let label = SuggestedLabels("format", "csv")
    throw TableError.format(
      "the text is not a table in a known format: \(fault); add \(label) to read it as CSV", at: nil
    )
  }
}
