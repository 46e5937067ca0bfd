import DataSources
import DataTables

// The positions of rows whose terms of the order are known: the rows before them are counted.
extension TableStore {
  /// The index path of a row that does not sort before the first row of the window; nil if the window
  /// leaves it out at the end.
  func indexPath(
    of row: RowPages.Row, _ cancellation: Cancellation
  ) async throws -> IndexPath? {
    switch layout {
    case .whole, .runs:
      let before = try await table.count(
        selection.unlimited, before: row.terms, journal, cancellation)
      // Rows that equal the first one may be left out.
      let position = max(0, before - selection.offset)
      return position < numberOfObjects ? path(of: position) : nil
    case .grouped(let groups):
      guard let member = try await member(of: row, in: groups, cancellation),
        let section = section(ofMember: member)
      else { return nil }
      return try await indexPath(of: row, in: groups, section, cancellation)
    case .paged(let pages): return try await indexPath(of: row, in: pages, cancellation)
    }
  }

  /// The index path of a row of a section.
  func indexPath(
    of row: RowPages.Row, in groups: GroupedSections, _ section: Int,
    _ cancellation: Cancellation
  ) async throws -> IndexPath? {
    let group = groups.sections[section]
    let before = try await table.count(
      selection.unlimited, before: row.terms,
      fixed: groups.fixedTerms(section, in: selection.order), where: [groups.condition(section)],
      equal: group.members.count == 1 ? [groups.key.sql] : [], journal, cancellation)
    let position = max(0, before - group.start)
    return position < group.count ? IndexPath(section: section, row: position) : nil
  }

  private func indexPath(
    of row: RowPages.Row, in pages: PagedSections, _ cancellation: Cancellation
  ) async throws -> IndexPath? {
    // The key of the sections leads the order.
    guard let title = row.terms.first,
      let section = try await pages.section(of: title, cancellation)
    else { return nil }
    let before = try await table.count(
      selection.unlimited, before: row.terms, fixed: 1, where: [pages.condition(title)],
      equal: [pages.key.sql], journal, cancellation)
    let position = max(0, before - pages.start(of: section))
    guard position < pages.numberOfObjects(in: section) else { return nil }
    return IndexPath(section: section, row: position)
  }

  /// The value of the key of the sections in a row; nil if the row does not exist.
  private func member(
    of row: RowPages.Row, in groups: GroupedSections, _ cancellation: Cancellation
  ) async throws -> Value? {
    if let term = selection.order.firstIndex(where: { $0.sql.shown == groups.key.sql.shown }) {
      return row.terms[term]
    }
    let identity = selection.condition(
      forIdentity: row.terms.suffix(selection.identity.count))
    return try await table.rows(
      "SELECT \(groups.key.sql)\(selection.unlimited.rows(where: identity))", journal, cancellation
    ).first?.first
  }
}
