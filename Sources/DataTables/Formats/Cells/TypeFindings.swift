/// The types of the cells of a column, and the first cells that decide against numbers or dates.
struct TypeFindings: Sendable {
  private(set) var tally: TypeTally
  /// The position of the first cell.
  private(set) var first: Int?
  private var outlier: Place?
  private var leadingZero: Place?

  private struct Place: Sendable {
    var position: Int
    var text: String
  }

  init(_ style: NumberStyle) { tally = TypeTally(style) }

  /// - Parameter position: the offset of the cell, or the number of its row.
  mutating func add(_ cell: UnsafeRawBufferPointer, at position: Int) {
    if first == nil { first = position }
    switch tally.add(cell) {
    case .other where outlier == nil:
      outlier = Place(position: position, text: String(decoding: cell, as: UTF8.self))
    case .leadingZero where leadingZero == nil:
      leadingZero = Place(position: position, text: String(decoding: cell, as: UTF8.self))
    default: break
    }
  }

  /// The report on the column of a key.
  /// - Parameters:
  ///   - order: the order of day and month that the user gave.
  ///   - line: returns the line of a position.
  func report(
    on key: String, isExact: Bool, order: WrittenDate.Order?, line: (Int) throws -> Int
  ) rethrows -> ColumnReport {
    let type = tally.form(order).type
    var report = ColumnReport(key: key, type: type, isExact: isExact)
    let reading = tally.suggestion(for: key, order)
    report.suggestion = reading?.suggestion
    if let reading, reading.isLikely, type == .string {
      report.evidence = reading.text
    } else if let reading {
      report.hint = reading.text
    }
    if report.evidence == nil {
      report.evidence = try evidence(type, line)
      report.suggestion = report.suggestion ?? nulls
    }
    return report
  }

  /// The label `nulls:` if the cell that decides against numbers or dates is a word for null.
  private var nulls: SuggestedType? {
    let dates = tally.dates + tally.writtenDates
    guard let outlier, tally.others * 2 < tally.count, leadingZero == nil,
      max(tally.numbers, dates) + tally.others == tally.count,
      NullWords.common.contains(outlier.text.lowercased())
    else { return nil }
    return SuggestedType(
      type: dates > 0 ? .date : .real, labels: [SuggestedLabels("nulls", outlier.text)])
  }

  /// `values have leading zeros, first at line 3: 01234`, or
  /// `mostly numbers, but line 840 has "NA"; add `nulls: NA` to read it as null`.
  private func evidence(_ type: ColumnType, _ line: (Int) throws -> Int) rethrows -> String? {
    guard type == .string else { return nil }
    if let leadingZero, tally.leadingZeros + tally.numbers == tally.count {
      let line = try line(leadingZero.position)
      return "values have leading zeros, first at line \(line): \(leadingZero.text)"
    }
    let dates = tally.dates + tally.writtenDates
    guard let outlier, tally.others * 2 < tally.count,
      max(tally.numbers, dates) + tally.others == tally.count
    else { return nil }
    let noun = dates > 0 ? "dates" : "numbers"
    let fact =
      "mostly \(noun), but line \(try line(outlier.position)) has "
      + Value.string(outlier.text).excerpt
    return nulls.map { fact + "; add \($0.labels[0]) to read it as null" } ?? fact
  }
}
