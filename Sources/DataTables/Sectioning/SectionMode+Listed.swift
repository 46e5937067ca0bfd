extension SectionMode {
  public static let fixed = SectionMode(
    "fixed", "one section per title of `titles:`, for the rows with that key",
    settings: [.titles, .empty, .other], isByValue: false, ignoresOrder: true
  ) { rows, settings in
    try FixedPlacement(rows, settings.titles, other: settings.other)
      .sections(showsEmpty: settings.showsEmpty)
  }
}

/// Splits rows by the title that the value of their key equals. Rows whose value is null or equals
/// none of the titles get the title `other`; their section is last unless `other` is one of the
/// titles.
private struct FixedPlacement {
  private let rows: KeyedRows
  private let titles: [Value]
  private let other: Value
  /// The bucket of rows whose value is null or equals none of the titles: the bucket of the title
  /// that equals `other`, or the last bucket.
  private let rest: UInt32
  private let buckets: RowBuckets

  init(_ rows: KeyedRows, _ titles: [Value], other: Value) throws {
    self.rows = rows
    self.titles = titles
    self.other = other
    let bucketOfTitle = Dictionary(
      zip(titles, 0..<UInt32(titles.count)), uniquingKeysWith: { first, _ in first })
    rest = bucketOfTitle[other] ?? UInt32(titles.count)
    let rest = rest
    switch try rows.column() {
    case .coded(let codes, let values):
      let bucketOfCode = values.map { $0.isNull ? rest : bucketOfTitle[$0] ?? rest }
      buckets = RowBuckets(codes: codes, buckets: bucketOfCode, count: titles.count + 1)
    case .keyed(let column):
      var bucketOfKey: [UInt64: UInt32] = [:]
      for (title, bucket) in bucketOfTitle where !title.isNull {
        if let key = column.key(of: title) { bucketOfKey[key] = bucket }
      }
      buckets = RowBuckets(
        codes: .wide(column.keys.map { bucketOfKey[$0] ?? rest }),
        buckets: (0...UInt32(titles.count)).map { $0 }, count: titles.count + 1)
    }
  }

  func sections(showsEmpty: Bool) throws -> SectionedRows {
    try rows.cancellation.check()
    let (order, counts) = buckets.placed(rows.order)
    var shown = ListedSections()
    for (title, count) in zip(titles, counts) {
      shown.append(title, count: count, isShown: showsEmpty || count > 0)
    }
    if counts[titles.count] > 0 { shown.append(other, count: counts[titles.count]) }
    return SectionedRows(order: order, sections: shown.sections)
  }
}

extension SectionMode {
  public static let collated = SectionMode(
    "collated", "one section per letter, then #; sorts by localizedStandard",
    settings: [.locale, .empty], isByValue: false, ignoresOrder: true,
    impliedSort: { key, settings in
      [SortDescriptor(key, comparison: .localizedStandard, locale: settings.locale)]
    },
    { rows, settings in
      let index = try CollatedIndex(locale: settings.locale)
      let last = UInt32(index.titles.count - 1)
      let buckets: RowBuckets
      switch try rows.column() {
      case .coded(let codes, let values):
        let sections = try index.sections(of: values, cancellation: rows.cancellation)
        buckets = RowBuckets(
          codes: codes, buckets: sections.map { UInt32($0) }, count: index.titles.count)
      case .keyed(let column):
        // Numbers and dates have no letter: they are under #.
        let count = column.keys.count
        buckets = RowBuckets(
          codes: .natural(count), buckets: [UInt32](repeating: last, count: count),
          count: index.titles.count)
      }
      let (order, counts) = buckets.placed(rows.order)
      var shown = ListedSections()
      for (title, count) in zip(index.titles, counts) {
        shown.append(.string(title), count: count, isShown: settings.showsEmpty || count > 0)
      }
      return SectionedRows(order: order, sections: shown.sections)
    })
}

/// Builds ``Sections`` from a list of titles, some of them hidden.
private struct ListedSections {
  private var offsets = [0]
  private var titles: [Value] = []
  private var listed: [ListedTitle] = []

  /// - Parameter isShown: whether the title has a section; must be true if `count` is not 0.
  mutating func append(_ title: Value, count: Int, isShown: Bool = true) {
    listed.append(ListedTitle(title: title, section: isShown ? titles.count : nil))
    guard isShown else { return }
    titles.append(title)
    offsets.append(offsets[offsets.count - 1] + count)
  }

  var sections: Sections { Sections(offsets: offsets, titles: titles, listed: listed) }
}
