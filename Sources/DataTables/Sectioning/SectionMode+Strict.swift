extension SectionMode {
  public static let strict = SectionMode(
    "strict", "as runs; rows whose title comes again are refused", keepsOrder: true
  ) { rows, _ in
    let cut = try rows.runs()
    let firsts = cut.repeated.compactMap { $0.sections.dropFirst().first }
    if let section = firsts.min() {
      throw TableError.sortMismatch(row: cut.offsets[section], title: cut.titles[section])
    }
    return SectionedRows(order: rows.order, sections: cut)
  }
}
