/// Explains why a column has the type string although many of its cells are numbers or dates.
struct ColumnEvidence {
  private let table: DelimitedTable
  private let key: String
  private let codes: RowCodes
  private let values: DistinctValues
  /// The labels that give all cells another type.
  private let reading: SuggestedReading?

  /// nil for a column whose values have no evidence.
  init?(table: DelimitedTable, key: String, column: KeyColumn) {
    guard case .coded(let codes, let values) = column else { return nil }
    self.table = table
    self.key = key
    self.codes = codes
    self.values = values
    reading = Self.reading(of: values, key, table.cells)
  }

  private static func reading(
    of values: DistinctValues, _ key: String, _ cells: CellReader
  ) -> SuggestedReading? {
    var tally = TypeTally(cells.style)
    for value in values {
      switch value {
      case .string(var text): _ = text.withUTF8 { tally.add(UnsafeRawBufferPointer($0)) }
      case .integer(let integer):
        var text = String(integer)
        _ = text.withUTF8 { tally.add(UnsafeRawBufferPointer($0)) }
        if integer != 0, integer != 1 { return nil }
      case .null: continue
      // Other types leave nothing to suggest.
      case .bool, .real, .date, .data, .array, .record: return nil
      }
      if tally.hasNoReading { return nil }
    }
    return tally.suggestion(for: key, cells.order)
  }

  /// A reading that `describe` shows and the report of a load does not.
  var hint: String? { reading.flatMap { $0.isLikely ? nil : $0.text } }

  /// The type that the labels of ``hint`` give all values.
  var suggestion: SuggestedType? { reading?.suggestion }

  struct Summary {
    var text: String
    /// The type that the labels in the text give all values; nil without labels.
    var suggestion: SuggestedType?
  }

  /// `212 values have leading zeros, first at line 3: 01234`, or `10,480 numbers, 2 non-numbers, at
  /// lines 77 ("n/a") and 9001 ("n/a"); add `nulls: n/a` to make it real`; nil if the column has
  /// only words, or too few numbers or dates to explain.
  func summary() throws -> Summary? {
    if let reading, reading.isLikely {
      return Summary(text: reading.text, suggestion: reading.suggestion)
    }
    let style = table.cells.style
    let kinds = values.map { Self.kind(of: $0, style) }
    // A column that has only words has no outliers.
    guard kinds.contains(where: { $0.map { $0 != .other && $0 != .bool } ?? false }) else {
      return nil
    }
    let areNullWords = values.map(Self.isNullWord)
    var rows = RowCounts()
    for row in 0..<codes.count {
      let code = codes[row]
      if let kind = kinds[code] { rows.add(kind, row: row, isNullWord: areNullWords[code]) }
    }
    if let first = rows.firstLeadingZero, rows.others.isEmpty, rows.dates == 0, rows.bools == 0 {
      let line = try table.line(of: first) ?? 0
      let text = text(of: first)
      return Summary(
        text: rows.leadingZeros == 1
          ? "1 value has a leading zero, at line \(line): \(text)"
          : "\(rows.leadingZeros.grouped) values have leading zeros, first at line \(line): \(text)"
      )
    }
    return try conflict(in: rows)
  }

  private func text(of row: Int) -> String {
    if case .string(let text) = values[codes[row]] { text } else { values[codes[row]].json }
  }

  private static func kind(of value: Value, _ style: NumberStyle) -> TypeTally.Kind? {
    guard case .string(var text) = value else { return nil }
    return text.withUTF8 { TypeTally.kind(of: UnsafeRawBufferPointer($0), style) }
  }

  private static func isNullWord(_ value: Value) -> Bool {
    guard case .string(let text) = value else { return false }
    return NullWords.common.contains(text.lowercased())
  }

  private func conflict(in rows: RowCounts) throws -> Summary? {
    let noun = rows.numbers >= rows.dates ? "number" : "date"
    let count = max(rows.numbers, rows.dates)
    let total = rows.numbers + rows.dates + rows.bools + rows.leadingZeros + rows.otherCount
    let outliers = total - count
    // Words for null do not count against the type. If numbers are rare among the other cells, they
    // count as words, as in a column of names.
    guard outliers > 0, count > (outliers - rows.nullWords) / 4 else { return nil }
    let shown = rows.outliers(besides: noun).prefix(2)
    var places: [String] = []
    for row in shown {
      places.append("\(try table.line(of: row) ?? 0) (\(values[codes[row]].json))")
    }
    var summary = "\(count.grouped) \(noun)\(count == 1 ? "" : "s"), "
    summary += "\(outliers.grouped) non-\(noun)\(outliers == 1 ? "" : "s"), "
    summary += outliers == 1 ? "at line " : outliers == 2 ? "at lines " : "first at lines "
    summary += places.joined(separator: " and ")
    guard let nulls = nulls(in: rows, numbers: noun == "number") else {
      return Summary(text: summary)
    }
    return Summary(
      text: summary + "; add \(nulls.labels[0]) to make it \(nulls.type)", suggestion: nulls)
  }

  /// The label `nulls:` if every outlier is a word for null, or all outliers are the same word;
  /// `header: true` for a first line that may be the header.
  private func nulls(in rows: RowCounts, numbers: Bool) -> SuggestedType? {
    guard rows.leadingZeros == 0, rows.bools == 0, numbers ? rows.dates == 0 : rows.numbers == 0
    else { return nil }
    var words: [String] = []
    for row in rows.others where !words.contains(text(of: row)) {
      words.append(text(of: row))
    }
    let areNulls = words.allSatisfy { NullWords.common.contains($0.lowercased()) }
    // A word with a digit is more likely a malformed number or date.
    let isWord = words.count == 1 && !words[0].contains(where: \.isNumber)
    guard rows.hasAllOthers, !words.isEmpty, areNulls || isWord else { return nil }
    let type: ColumnType = numbers ? (rows.reals > 0 ? .real : .integer) : .date
    // With given keys, the first line is mostly the header that they replace.
    if rows.others == [0], table.options.keys != nil, table.options.hasHeader == nil {
      return SuggestedType(type: type, labels: [SuggestedLabels("header", "true")])
    }
    return SuggestedType(type: type, labels: [SuggestedLabels("nulls", words)])
  }
}

/// The number of rows by the kind of their cell, and the first rows of each kind.
private struct RowCounts {
  private(set) var integers = 0, reals = 0, bools = 0, dates = 0, leadingZeros = 0, otherCount = 0
  /// The number of cells that are words for null.
  private(set) var nullWords = 0
  private(set) var firstLeadingZero: Int?
  /// The first rows whose cell is of kind `other`, at most 1,000.
  private(set) var others: [Int] = []
  private var firstBool: Int?
  private var firstNumbers: [Int] = []
  private var firstDates: [Int] = []

  var numbers: Int { integers + reals }
  var hasAllOthers: Bool { others.count == otherCount }

  mutating func add(_ kind: TypeTally.Kind, row: Int, isNullWord: Bool) {
    if isNullWord { nullWords += 1 }
    switch kind {
    case .integer, .writtenInteger: integers += 1
    case .real, .writtenReal, .nonFinite: reals += 1
    case .blank: return
    case .bool:
      bools += 1
      firstBool = firstBool ?? row
    case .date, .writtenDate: dates += 1
    case .leadingZero:
      leadingZeros += 1
      firstLeadingZero = firstLeadingZero ?? row
    case .other:
      otherCount += 1
      if others.count < 1_000 { others.append(row) }
    }
    if kind.isDate, firstDates.count < 2 { firstDates.append(row) }
    if kind.isNumber, firstNumbers.count < 2 { firstNumbers.append(row) }
  }

  /// The first rows whose cells are not of the most common kind.
  func outliers(besides noun: String) -> [Int] {
    let rows = others.prefix(2) + [firstBool, firstLeadingZero].compactMap { $0 }
    return (rows + (noun == "number" ? firstDates : firstNumbers)).sorted()
  }
}
