import DataSources
import DataTables

/// Finds the titles of groups whose values are equal and may differ nevertheless, such as 1 and 1.0:
/// the value that an engine returns for a group may be that of any of its rows.
struct FirstTitles {
  let table: DatabaseTable
  let selection: RowSelection
  let journal: StoreJournal
  let context: RequestContext
  private var dialect: any SQLDialect { table.dialect }

  init(
    _ table: DatabaseTable, _ selection: RowSelection, _ journal: StoreJournal,
    _ context: RequestContext
  ) {
    self.table = table
    self.selection = selection
    self.journal = journal
    self.context = context
  }

  /// Sets titles to the values of the sections' first objects, by one statement for all of them.
  func set(in groups: inout GroupedSections, by key: ObjectKeyPath) async throws {
    let column = groups.key
    var conditions: [SQL] = []
    if column.facts.variants == .zeros {
      guard groups.sections.contains(where: { $0.title == 0 }) else { return }
      conditions = ["\(column.sql) = \(column.operand(own: 0))"]
    }
    let head = try table.head(of: key)
    let rows = groups.isContiguous ? selection.unlimited : selection.nested(table)
    let first = try await read(
      dialect.firstRows(
        column.sql, head.sql, from: rows.rows(where: conditions),
        orderedBy: rows.order.clause(dialect)))
    let sectionOfMember = groups.sectionOfMember
    var numbers: [Int: Int] = [:]
    for row in first {
      guard let section = sectionOfMember[row[0]], row.count(2) < numbers[section] ?? .max else {
        continue
      }
      numbers[section] = row.count(2)
      groups.sections[section].title = head.value(of: key, row[1])
    }
    // An offset leaves out the first objects of the first section.
    if let section = groups.sections.first, section.start > 0 {
      let row = try await read(
        """
        SELECT \(head.sql)\(rows.rows(where: [groups.condition(0)])) \
        ORDER BY \(rows.order.clause(dialect)) \(dialect.limit(1, offset: section.start))
        """)
      if let value = row.first?.first { groups.sections[0].title = head.value(of: key, value) }
    }
  }

  private func read(_ statement: SQL) async throws -> [[Value]] {
    try await table.rows(statement, journal, context.cancellation)
  }
}
