import DataSources
import DataTables

/// Finds sections that follow the order of the rows.
struct RunFinding {
  private let finding: SectionFinding
  private let key: ObjectKeyPath
  private let mode: SectionMode
  private let sort: [SortDescriptor]

  init(
    _ finding: SectionFinding, by key: ObjectKeyPath, _ mode: SectionMode, sort: [SortDescriptor]
  ) {
    self.finding = finding
    self.key = key
    self.mode = mode
    self.sort = sort
  }

  private var table: DatabaseTable { finding.table }
  private var selection: RowSelection { finding.selection }
  private var journal: StoreJournal { finding.journal }
  private var dialect: any SQLDialect { finding.dialect }

  /// If the key leads the sort, or is derived from the key that does, runs are groups; otherwise the
  /// keys of all rows are read in the order.
  func sections() async throws -> SectionLayout {
    let column = try table.expression(of: key)
    if let first = sort.first, let term = selection.requestedOrder.first {
      if first.keyPath == key, first.comparison != .caseInsensitive,
        first.comparison != .localizedCaseInsensitive, first.comparison != .numeric
      {
        try column.checkEquality()
        return try await contiguous(
          by: column, orderedBy: term, isKey: first.comparison == .compare)
      }
      if Self.isDerived(key, from: first.keyPath), column.facts.types != nil,
        let layout = try await derivedRuns(of: column, from: term)
      {
        return layout
      }
    }
    return try await readRuns(of: column)
  }

  private static func isDerived(_ key: ObjectKeyPath, from other: ObjectKeyPath) -> Bool {
    key.steps.count > other.steps.count && Array(key.steps.prefix(other.steps.count)) == other.steps
  }

  private func contiguous(
    by column: ColumnExpression, orderedBy term: OrderTerm, isKey: Bool
  ) async throws -> SectionLayout {
    if isKey {
      switch try await finding.groups(by: column, of: selection.unlimited, orderedBy: term) {
      case .paged(let layout): return layout
      case .rows(let rows): return try await grouped(by: column, rows)
      }
    }
    let rows = try await finding.read(
      """
      SELECT \(column.sql), count(*)\(selection.unlimited.rows()) GROUP BY \(column.sql) \
      ORDER BY \(aggregate("min", term).ordered(dialect))
      """)
    return try await grouped(by: column, rows)
  }

  private func grouped(
    by column: ColumnExpression, _ rows: [[Value]]
  ) async throws -> SectionLayout {
    try await finding.grouped(
      by: column, key,
      rows.map { GroupedSections.Section(title: $0[0], members: [$0[0]], count: $0.count(1)) },
      isContiguous: true)
  }

  private func aggregate(_ function: String, _ term: OrderTerm) -> OrderTerm {
    var expression = term.expression
    expression.sql = "\(SQL(function))(\(term.sql))"
    return OrderTerm(
      expression, isDescending: term.isDescending, nullsFirst: term.nullsFirst)
  }

  /// The groups of a derived key, if the order of the key from which it is derived keeps the rows of
  /// each together; nil if it does not.
  private func derivedRuns(
    of column: ColumnExpression, from term: OrderTerm
  ) async throws -> SectionLayout? {
    let order = aggregate(term.isDescending ? "max" : "min", term)
    let rows = try await finding.read(
      """
      SELECT \(column.sql), count(*), min(\(term.sql)), max(\(term.sql)), \
      count(*) - count(\(term.sql))\(selection.unlimited.rows()) GROUP BY \(column.sql) \
      ORDER BY \(order.ordered(dialect))
      """)
    var last: Value?
    for row in rows {
      let (low, high) = term.isDescending ? (row[3], row[2]) : (row[2], row[3])
      // A group with nulls and values is a run only if the nulls are beside its values.
      if row.count(4) > 0, !low.isNull, term.nullsFirst == term.isDescending { return nil }
      if row.count(4) > 0, !low.isNull, last != nil { return nil }
      if let last, !low.isNull, !last.isNull {
        let order = last.compare(low)
        guard order == (term.isDescending ? .after : .before) else { return nil }
      }
      last = high
    }
    return try await grouped(by: column, rows)
  }

  /// Reads the keys of all rows in their order.
  private func readRuns(of column: ColumnExpression) async throws -> SectionLayout {
    let count = try await table.count(selection, journal, finding.context.cancellation)
    if let limit = finding.context.copyLimit, count > limit {
      throw TableError.limit(
        "to find the runs of \(key), the keys of \(count.grouped) objects would be read, "
          + "more than \(limit.grouped); sort by \(key) first, or use `mode: groups`",
        setting: "option limit \(count)", at: nil)
    }
    let head = column.facts.variants == .none ? nil : try table.head(of: key)
    let columns = head.map { "\(column.sql), \($0.sql)" } ?? column.sql
    let statement: SQL = """
      SELECT \(columns)\(selection.rows()) ORDER BY \(selection.order.clause(dialect)) \
      \(dialect.limit(selection.limit, offset: selection.offset))
      """
    let keys = try await finding.read(statement).map { row in head?.value(of: key, row[1]) ?? row[0]
    }
    journal.assume("the shell read the \(key) of \(count.grouped) objects to find its runs")
    var starts: [Int] = []
    var titles: [Value] = []
    var seen: Set<Value> = []
    for (position, value) in keys.enumerated() where titles.last != value {
      if mode.rejectsRepeats, !seen.insert(value).inserted {
        throw TableError.sortMismatch(row: position, title: value)
      }
      starts.append(position)
      titles.append(value)
    }
    finding.noteTitles(titles.count, "their runs do not follow the order of \(key)")
    return .runs(starts: starts + [keys.count], titles: titles)
  }
}
