import DataSources
import DataTables

/// Finds the sections of selected rows by grouping statements.
struct SectionFinding {
  let table: DatabaseTable
  let selection: RowSelection
  let journal: StoreJournal
  let context: RequestContext
  /// Whether the rows may have more sections than have their titles in memory.
  let mayBePaged: Bool
  var dialect: any SQLDialect { table.dialect }

  /// - Parameter count: at least the number of the rows.
  init(
    _ table: DatabaseTable, _ selection: RowSelection, atMost count: Int, _ journal: StoreJournal,
    _ context: RequestContext
  ) {
    self.table = table
    self.selection = selection
    self.journal = journal
    self.context = context
    mayBePaged = count > StoreLimits.maxTitles
  }

  /// - Parameter sort: the descriptors of the selection's order, the most significant first.
  /// - Throws: ``Shortcoming`` for sections that the engine cannot find, `TableError.sortMismatch`.
  func sections(
    by key: ObjectKeyPath, _ mode: SectionMode, _ settings: SectionSettings,
    sort: [SortDescriptor]
  ) async throws -> SectionLayout {
    mode.keepsOrder
      ? try await RunFinding(self, by: key, mode, sort: sort).sections()
      : try await GroupFinding(self, by: key, mode, settings, sort: sort).sections()
  }

  /// The sections, without the rows that the window of the selection leaves out.
  ///
  /// - Parameter key: the key whose values are the titles; nil for other titles.
  func grouped(
    by column: ColumnExpression, _ key: ObjectKeyPath?, _ sections: [GroupedSections.Section],
    listed: [ListedTitle]? = nil, isContiguous: Bool
  ) async throws -> SectionLayout {
    var groups = GroupedSections(
      key: column, sections: sections, listed: listed, isContiguous: isContiguous)
    if isContiguous {
      groups = groups.window(from: selection.offset, atMost: selection.limit).groups
    }
    if let key, column.facts.variants != .none {
      try await FirstTitles(table, selection, journal, context).set(in: &groups, by: key)
    }
    noteTitles(sections.count, "their order is not that of the values of one column")
    return .grouped(groups)
  }

  private func grouping(
    _ column: ColumnExpression, of rows: RowSelection, orderedBy term: OrderTerm
  ) -> SQL {
    """
    SELECT \(column.sql), count(*)\(rows.rows()) GROUP BY \(column.sql) \
    ORDER BY \(term.ordered(dialect))
    """
  }

  /// The groups of a column that leads the order: a title and a count each.
  func rows(
    by column: ColumnExpression, of rows: RowSelection, orderedBy term: OrderTerm
  ) async throws -> [[Value]] {
    try await read(grouping(column, of: rows, orderedBy: term))
  }

  /// The groups of a column that leads the order.
  enum Groups {
    /// Too many to keep their titles in memory.
    case paged(SectionLayout)
    /// A title and a count each.
    case rows([[Value]])
  }

  func groups(
    by column: ColumnExpression, of rows: RowSelection, orderedBy term: OrderTerm
  ) async throws -> Groups {
    let statement = grouping(column, of: rows, orderedBy: term)
    guard mayBePaged, PagedTitles.canRead(column, orderedBy: term) else {
      return .rows(try await read(statement))
    }
    let collector = SectionCollector(term)
    try await table.forEachBatch(statement, journal, context.cancellation) {
      await collector.add($0)
    }
    switch await collector.found {
    case .none: return .rows(try await read(statement))
    case .few(let rows): return .rows(rows)
    case .many(let offsets, let outline):
      let titles = PagedTitles(table, rows, by: column, orderedBy: term, outline, journal)
      let sections = PagedSections(key: column, offsets: offsets, titles: titles)
      return .paged(
        .paged(sections.window(from: selection.offset, atMost: selection.limit).sections))
    }
  }

  /// Reports titles that are kept in memory although they are many.
  func noteTitles(_ count: Int, _ reason: String) {
    guard count > StoreLimits.maxTitles else { return }
    journal.assume("the titles of \(count.grouped) sections are in memory: \(reason)")
  }

  func read(_ statement: SQL) async throws -> [[Value]] {
    try await table.rows(statement, journal, context.cancellation)
  }
}

extension [Value] {
  /// The count in a column of a row.
  func count(_ column: Int) -> Int {
    if case .integer(let count) = self[column] { count } else { 0 }
  }
}
