extension SectionMode {
  public static let runs = SectionMode(
    "runs", "a section begins where the key differs from the row before (default)",
    keepsOrder: true
  ) { rows, _ in
    try SectionedRows(order: rows.order, sections: rows.runs())
  }
}

extension KeyedRows {
  func runs() throws -> Sections {
    try table.runs(of: key, in: rows, cancellation: cancellation)
  }
}
