extension SectionMode {
  public static let month = dates("month", "one section per month, oldest first: 2012-11", .month)
  public static let day = dates("day", "one section per day: 2012-11-02", .day)
  public static let year = dates("year", "one section per year: 2012", .year)
  public static let week = dates("week", "one section per ISO week: 2012-W44", .week)

  private static func dates(_ name: String, _ summary: String, _ span: DateSpan) -> SectionMode {
    SectionMode(name, summary, settings: [.zone], isByValue: false) { rows, settings in
      try DatePlacement(rows, span, zone: settings.zone).sections(title: span.title)
    }
  }

  /// Months titled `November 2012`.
  public static let organizedMonths = SectionMode(
    "chronologically", "one section per month, oldest first: November 2012", settings: [.zone],
    isByValue: false
  ) { rows, settings in
    try DatePlacement(rows, .month, zone: settings.zone).sections(title: DateSpan.monthTitle)
  }
}

extension SectionMode {
  /// The number of the span that contains a date, in a mode by dates; nil for a value without a date
  /// and in other modes. Numbers ascend with time.
  package func span(of value: Value, _ settings: SectionSettings) -> Int? {
    let span: DateSpan? =
      switch name {
      case Self.day.name: .day
      case Self.week.name: .week
      case Self.month.name, Self.organizedMonths.name: .month
      case Self.year.name: .year
      default: nil
      }
    guard let span, let date = value.timestamp else { return nil }
    return span.number(of: date, zone: settings.zone)
  }
}

/// Splits rows by the time span of their date; rows without a date are last.
private struct DatePlacement {
  private let rows: KeyedRows
  private let buckets: RowBuckets
  /// The numbers of the spans, as ``DateSpan/number(of:)`` returns them, ascending.
  private let spans: [Int]

  init(_ rows: KeyedRows, _ span: DateSpan, zone: Zone) throws {
    self.rows = rows
    let codes: RowCodes
    let numbers: [Int?]
    switch try rows.column() {
    case .coded(let coded, let values):
      codes = coded
      numbers = values.map { $0.timestamp.map { span.number(of: $0, zone: zone) } }
    case .keyed(let column):
      codes = .natural(column.keys.count)
      numbers = try rows.spans(column, span, zone: zone)
    }
    try rows.cancellation.check()
    let ranks: [UInt32]
    (ranks, spans) = Self.ranks(numbers)
    buckets = RowBuckets(codes: codes, buckets: ranks, count: spans.count + 1)
  }

  /// The rank of each number among the distinct numbers, and the distinct numbers, ascending. nil
  /// has the last rank.
  private static func ranks(_ numbers: [Int?]) -> ([UInt32], [Int]) {
    // Neighbors usually are in the same span: skipping repetitions saves most insertions.
    var distinct: Set<Int> = []
    var last: Int?
    for case let number? in numbers where number != last {
      distinct.insert(number)
      last = number
    }
    let sorted = distinct.sorted()
    let null = UInt32(sorted.count)
    guard let least = sorted.first, let greatest = sorted.last else {
      return (numbers.map { _ in null }, [])
    }
    // Ten thousand years have fewer than four million days, so an array of this length usually
    // suffices.
    if greatest - least < 1 << 23 {
      var rankOfNumber = [UInt32](repeating: 0, count: greatest - least + 1)
      for (rank, number) in sorted.enumerated() { rankOfNumber[number - least] = UInt32(rank) }
      return (numbers.map { $0.map { rankOfNumber[$0 - least] } ?? null }, sorted)
    }
    let rankOfNumber = Dictionary(uniqueKeysWithValues: zip(sorted, 0..<null))
    return (numbers.map { $0.flatMap { rankOfNumber[$0] } ?? null }, sorted)
  }

  func sections(title: (Int) -> String) throws -> SectionedRows {
    let (order, counts) = buckets.placed(rows.order)
    var offsets = [0]
    var titles: [Value] = []
    for (bucket, count) in counts.enumerated() where count > 0 {
      titles.append(bucket < spans.count ? .string(title(spans[bucket])) : .null)
      offsets.append(offsets[offsets.count - 1] + count)
    }
    return SectionedRows(order: order, sections: Sections(offsets: offsets, titles: titles))
  }
}

extension KeyedRows {
  /// The span of each row of a numeric column; nil for rows without a date.
  fileprivate func spans(
    _ column: NumericColumn, _ span: DateSpan, zone: Zone
  ) throws -> [Int?] {
    guard column.kind == .date else { return column.keys.map { _ in nil } }
    var numbers: [Int?] = []
    numbers.reserveCapacity(column.keys.count)
    var uncertain: [Int] = []
    for (row, key) in column.keys.enumerated() {
      if row & 0xFFFF == 0 { try cancellation.check() }
      guard key != NumericColumn.null else {
        numbers.append(nil)
        continue
      }
      let seconds = Gregorian.floorDivide(NumericColumn.integer(key), 10_000_000)
      let number = span.number(of: seconds)
      // The key does not store whether a zone was written: where this can change the span, the
      // value is read.
      if zone != .gmt, span.number(of: seconds + zone.offset(at: seconds)) != number {
        uncertain.append(row)
      }
      numbers.append(number)
    }
    let dates = try table.values(
      of: key, column: column, at: uncertain, cancellation: cancellation)
    for (row, date) in zip(uncertain, dates) {
      numbers[row] = date.timestamp.map { span.number(of: $0, zone: zone) }
    }
    return numbers
  }
}
