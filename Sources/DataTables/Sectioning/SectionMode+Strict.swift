extension SectionMode {
  public static let strict = SectionMode(
    "strict", "as runs; rows whose title comes again are refused", keepsOrder: true
  ) { rows, _ in
    let sections = try rows.runs()
    let firsts = sections.repeated.compactMap { $0.sections.dropFirst().first }
    if let section = firsts.min() {
      throw TableError.sortMismatch(row: sections.offsets[section], title: sections.titles[section])
    }
    return SectionedRows(order: rows.order, sections: sections)
  }
}
