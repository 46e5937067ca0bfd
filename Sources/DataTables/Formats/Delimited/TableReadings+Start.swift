/// Tables that begin after other lines.
extension TableReadings {
  /// The table after lines without delimiters, in a text that is otherwise read as one column.
  func tableAfterLines() -> TableReading? {
    guard givenDelimiter == nil, fallback == UInt8(ascii: ","), options.skippedLines == nil,
      isHeaderGiven == nil
    else { return nil }
    let found = TableFinder.delimiters.map { delimiter in
      TableReading(fitting: rows { $0.delimiter = delimiter })
    }
    return found.first { reading in
      guard reading.width > 1, (1...20).contains(reading.first), reading.irregular == 0,
        reading.exact > 1, let header = reading.completeRows.first
      else { return false }
      let below = reading.completeRows.dropFirst().prefix(30).map { reading.rows.cells(of: $0) }
      let guess = HeaderGuess(reading.rows.cells(of: header), above: below)
      // A line directly above, without the delimiter, may be the header of one column.
      let isApart = reading.rows.rows[reading.first - 1].end < header.start
      let hasTabs = reading.width > 2 && reading.rows.dialect.delimiter == UInt8(ascii: "\t")
      return guess == .header || guess == .either && reading.exact > 3 && isApart
        || guess == .data && hasTabs
    }
  }

  /// The table after rows that are empty but for the first field, such as the title of a sheet.
  func tableAfterTitle(_ plain: TableReading) -> TableReading? {
    let rows = plain.rows
    guard options.skippedLines == nil, isHeaderGiven != false, plain.width > 2,
      let title = rows.rows.first, rows.endsWithDelimiter(title)
    else { return nil }
    let cells = rows.rows.prefix(50).map { rows.cells(of: $0) }
    let place = cells.firstIndex { !$0.dropFirst().allSatisfy(\.isEmpty) }
    guard let place, place > 0, !cells[0][0].isEmpty, cells.count > place + 1,
      cells[place].count(where: { !$0.isEmpty }) * 2 > plain.width
    else { return nil }
    let guess = HeaderGuess(cells[place], above: Array(cells[(place + 1)...]))
    let isApart = cells[place - 1].allSatisfy(\.isEmpty)
    guard guess == .header || guess == .either && isApart else { return nil }
    return TableReading(rows, width: plain.width, first: place)
  }

  /// The table at the end of the sample, after lines with fewer fields, such as those about a bank
  /// account above its transactions.
  func tableAtEnd(_ plain: TableReading) -> TableReading? {
    guard options.skippedLines == nil, plain.rejected > 0 else { return nil }
    let delimiters =
      givenDelimiter != nil || fallback != UInt8(ascii: ",")
      ? [plain.rows.dialect.delimiter] : TableFinder.delimiters
    let found = delimiters.lazy.compactMap { delimiter in
      TableReading(endOf: self.rows { $0.delimiter = delimiter })
    }
    return found.first { reading in
      let cells = reading.completeRows.prefix(30).map { reading.rows.cells(of: $0) }
      let names = cells[0].filter { !$0.isEmpty }
      return names.count * 2 > reading.width && HeaderGuess.areKeys(names)
        && (reading.exact > 3 || HeaderGuess(cells[0], above: Array(cells.dropFirst())) == .header)
    }
  }
}
