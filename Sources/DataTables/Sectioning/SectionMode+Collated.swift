extension SectionMode {
  public static let collated = SectionMode(
    "collated", "the letters of a language and #; rows by localizedStandard",
    settings: [.locale, .empty], isByValue: false,
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
        // Numbers and dates have no letter.
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
