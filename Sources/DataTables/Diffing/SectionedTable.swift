/// Rows of a table in an order, cut into sections: one side of a comparison.
public struct SectionedTable: Sendable {
  public let table: any Table
  public let order: RowOrder
  public let sections: Sections

  /// - Precondition: the rows of `order` are rows of `table`, and `sections` ends with them.
  public init(table: any Table, order: RowOrder, sections: Sections) {
    self.table = table
    self.order = order
    self.sections = sections
  }

  /// The place of a position in the order.
  func path(_ position: Int) -> IndexPath {
    let section = sections.section(of: position)
    return IndexPath(section: section, row: position - sections.offsets[section])
  }
}
