extension SectionMode {
  public static let month = dates("month", "one section per month, oldest first: 2012-11", .month)
  public static let day = dates("day", "one section per day: 2012-11-02", .day)
  public static let year = dates("year", "one section per year: 2012", .year)
  public static let week = dates("week", "one section per ISO week: 2012-W44", .week)

  private static func dates(_ name: String, _ summary: String, _ span: DateSpan) -> SectionMode {
    SectionMode(
      name, summary, settings: [.zone], isByValue: false, ignoresOrder: true
    ) { rows, settings in
      try rows.sections(by: span, zone: settings.zone, title: span.title)
    }
  }

  /// Months titled `November 2012`.
  public static let organizedMonths = SectionMode(
    "chronologically", "one section per month, oldest first: November 2012", settings: [.zone],
    isByValue: false, ignoresOrder: true
  ) { rows, settings in
    try rows.sections(by: .month, zone: settings.zone, title: DateSpan.monthTitle)
  }
}

extension SectionMode {
  /// Whether the sections are spans of dates.
  package var isByDates: Bool {
    [Self.day, .week, .month, .year, .organizedMonths].contains { $0.name == name }
  }

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

extension KeyedRows {
  fileprivate func sections(
    by span: DateSpan, zone: Zone, title: (Int) -> String
  ) throws -> SectionedRows {
    let column = try column()
    // A sort by dates has put the sections together, in their order. In other zones, the key does not
    // determine the span (see `spans`).
    if zone == .gmt, case .keyed(let dates) = column, dates.kind == .date,
      let leading = rows.leading, leading.keyPath == key, case .keys(let keys) = leading.runs
    {
      return SectionedRows(order: order, sections: keys.runs(of: span, in: order, title: title))
    }
    return try DatePlacement(self, column, span, zone: zone).sections(title: title)
  }
}

extension NumericKeys {
  /// The runs of rows with dates in the same span.
  ///
  /// - Parameter order: ascending by these keys of dates, with nulls last.
  /// - Complexity: O(runs · log rows).
  fileprivate func runs(
    of span: DateSpan, in order: RowOrder, title: (Int) -> String
  ) -> Sections {
    var offsets = [0]
    var titles: [Value] = []
    while let start = offsets.last, start < order.count {
      let key = self[order[start]]
      guard key != NumericColumn.null else {
        titles.append(.null)
        offsets.append(order.count)
        break
      }
      let number = span.number(ofDateWith: key)
      titles.append(.string(title(number)))
      // The step doubles until it leaves the run: short runs are found in few steps.
      var (inside, step) = (start, 1)
      while inside + step < order.count, isDate(order[inside + step], in: number, span) {
        inside += step
        step *= 2
      }
      var outside = Swift.min(inside + step, order.count)
      while outside - inside > 1 {
        let middle = (inside + outside) / 2
        if isDate(order[middle], in: number, span) { inside = middle } else { outside = middle }
      }
      offsets.append(outside)
    }
    return Sections(offsets: offsets, titles: titles)
  }

  private func isDate(_ row: Int, in number: Int, _ span: DateSpan) -> Bool {
    let key = self[row]
    return key != NumericColumn.null && span.number(ofDateWith: key) == number
  }
}

extension DateSpan {
  /// The number of the span that contains a date in GMT.
  /// - Parameter key: the key of the date in a ``NumericColumn``.
  fileprivate func number(ofDateWith key: UInt64) -> Int {
    number(of: Gregorian.floorDivide(NumericColumn.integer(key), 10_000_000))
  }
}

/// Splits rows by the time span of their date; rows without a date are last.
private struct DatePlacement {
  private let rows: KeyedRows
  private let buckets: RowBuckets
  /// The numbers of the spans, as ``DateSpan/number(of:)`` returns them, ascending.
  private let spans: [Int]

  init(_ rows: KeyedRows, _ column: KeyColumn, _ span: DateSpan, zone: Zone) throws {
    self.rows = rows
    let codes: RowCodes
    let numbers: [Int?]
    switch column {
    case .coded(let coded, let values):
      codes = coded
      numbers = values.map { $0.timestamp.map { span.number(of: $0, zone: zone) } }
    case .keyed(let column):
      if zone == .gmt, column.kind == .date, let coded = SpanCodes(column.keys, span) {
        spans = coded.spans
        buckets = RowBuckets(
          codes: .narrow(coded.codes), buckets: Array(0...UInt32(spans.count)),
          count: spans.count + 1)
        return
      }
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

/// The spans of the dates of a column in GMT, by a table of all days from the least date to the
/// greatest.
private struct SpanCodes {
  /// The position of each row's span among ``spans``; after the last one for null.
  let codes: [UInt16]
  /// The numbers of the spans, ascending; some may have no rows.
  let spans: [Int]

  private static let ticksPerDay = 86_400 * 10_000_000

  /// - Returns: nil without dates, or if these span more than 65,535 days.
  /// - Complexity: O(rows), on all processors.
  init?(_ keys: NumericKeys, _ span: DateSpan) {
    let extent = keys.extent
    guard let least = extent.least?.key, let greatest = extent.greatest?.key else { return nil }
    let days = Self.day(of: least)...Self.day(of: greatest)
    let (ticks, overflow) = days.lowerBound.multipliedReportingOverflow(by: Self.ticksPerDay)
    guard days.count < 1 << 16, !overflow, let first = NumericColumn.key(ticks) else { return nil }
    var spans: [Int] = []
    var codeOfDay: [UInt16] = []
    for day in days {
      let number = span.number(of: day * 86_400)
      if number != spans.last { spans.append(number) }
      codeOfDay.append(UInt16(spans.count - 1))
    }
    let null = UInt16(spans.count)
    codes = [UInt16](unsafeUninitializedCapacity: keys.count) { buffer, count in
      nonisolated(unsafe) let codes = buffer
      LargePages.advise(codes)
      keys.withUnsafeBufferPointer { keys in
        Parallel.forEachPart(of: keys.count) { _, rows in
          codeOfDay.withUnsafeBufferPointer { codeOfDay in
            for row in rows {
              let key = keys[row]
              // Unsigned, so that the division by a constant is a multiplication.
              let code =
                key == NumericColumn.null
                ? null : codeOfDay[Int((key &- first) / UInt64(Self.ticksPerDay))]
              codes.initializeElement(at: row, to: code)
            }
          }
        }
      }
      count = keys.count
    }
    self.spans = spans
  }

  private static func day(of key: UInt64) -> Int {
    Gregorian.floorDivide(NumericColumn.integer(key), ticksPerDay)
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
