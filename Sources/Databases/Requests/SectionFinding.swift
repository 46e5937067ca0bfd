import DataSources
import DataTables

/// Finds the sections of selected rows by grouping statements.
struct SectionFinding {
  let table: DatabaseTable
  let selection: RowSelection
  let journal: StoreJournal
  let context: RequestContext
  private var dialect: any SQLDialect { table.dialect }

  /// The maximum number of values of one section that a statement lists.
  private static let maxMembers = 500

  init(
    _ table: DatabaseTable, _ selection: RowSelection, _ journal: StoreJournal,
    _ context: RequestContext
  ) {
    self.table = table
    self.selection = selection
    self.journal = journal
    self.context = context
  }

  /// - Parameter sort: the descriptors of the selection's order, the most significant first.
  /// - Throws: ``Shortcoming`` for sections that the engine cannot find, `TableError.sortMismatch`.
  func sections(
    by key: ObjectKeyPath, _ mode: SectionMode, _ settings: SectionSettings,
    sort: [SortDescriptor]
  ) async throws -> SectionLayout {
    mode.keepsOrder
      ? try await runs(of: key, mode, sort: sort)
      : try await groups(of: key, mode, settings, sort: sort)
  }

  // MARK: Runs

  /// Sections that follow the order. If the key leads the sort, or is derived from the key that does,
  /// runs are groups; otherwise the keys of all rows are read in the order.
  private func runs(
    of key: ObjectKeyPath, _ mode: SectionMode, sort: [SortDescriptor]
  ) async throws -> SectionLayout {
    let column = try table.expression(of: key)
    if let first = sort.first, let term = selection.requestedOrder.first {
      if first.keyPath == key, first.comparison != .caseInsensitive,
        first.comparison != .localizedCaseInsensitive, first.comparison != .numeric
      {
        try column.checkEquality()
        return try await contiguous(
          by: column, key, orderedBy: term, isKey: first.comparison == .compare)
      }
      if Self.isDerived(key, from: first.keyPath), column.facts.types != nil,
        let layout = try await derivedRuns(of: column, key, from: term)
      {
        return layout
      }
    }
    return try await readRuns(of: column, key, mode)
  }

  private static func isDerived(_ key: ObjectKeyPath, from other: ObjectKeyPath) -> Bool {
    key.steps.count > other.steps.count && Array(key.steps.prefix(other.steps.count)) == other.steps
  }

  private func contiguous(
    by column: ColumnExpression, _ key: ObjectKeyPath, orderedBy term: OrderTerm, isKey: Bool
  ) async throws -> SectionLayout {
    let order = isKey ? term.ordered(dialect) : aggregate("min", term).ordered(dialect)
    let rows = try await read(
      """
      SELECT \(column.sql), count(*)\(selection.unlimited.rows()) GROUP BY \(column.sql) \
      ORDER BY \(order)
      """)
    return try await grouped(
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
    of column: ColumnExpression, _ key: ObjectKeyPath, from term: OrderTerm
  ) async throws -> SectionLayout? {
    let order = aggregate(term.isDescending ? "max" : "min", term)
    let rows = try await read(
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
    return try await grouped(
      by: column, key,
      rows.map { GroupedSections.Section(title: $0[0], members: [$0[0]], count: $0.count(1)) },
      isContiguous: true)
  }

  /// Reads the keys of all rows in their order.
  private func readRuns(
    of column: ColumnExpression, _ key: ObjectKeyPath, _ mode: SectionMode
  ) async throws -> SectionLayout {
    let count = try await table.count(selection, journal, context.cancellation)
    if let limit = context.copyLimit, count > limit {
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
    let keys = try await read(statement).map { row in head?.value(of: key, row[1]) ?? row[0] }
    journal.assume("the shell read the \(key) of \(count.grouped) objects to find its runs")
    var starts: [Int] = []
    var titles: [Value] = []
    var seen: Set<Value> = []
    for (position, value) in keys.enumerated() where titles.last != value {
      if mode.name == SectionMode.strict.name, !seen.insert(value).inserted {
        throw TableError.sortMismatch(row: position, title: value)
      }
      starts.append(position)
      titles.append(value)
    }
    return .runs(starts: starts + [keys.count], titles: titles)
  }

  // MARK: Groups

  private func groups(
    of key: ObjectKeyPath, _ mode: SectionMode, _ settings: SectionSettings,
    sort: [SortDescriptor]
  ) async throws -> SectionLayout {
    if mode.isByDates, let spans = try await spans(of: key, mode, settings) { return spans }
    let (column, rest) = try grouping(of: key)
    let needsFirst =
      mode.name == SectionMode.groups.name
      && settings.order.map { $0.criterion == .count } ?? true
    let rows = try await groupRows(of: column, sort: sort, key, needsFirst: needsFirst)
    return try await place(rows, by: column, key, rest, mode, settings)
  }

  /// The expression to group by, and the steps that remain to be derived from its values.
  private func grouping(
    of key: ObjectKeyPath
  ) throws -> (ColumnExpression, [ObjectKeyPath.Step]) {
    do throws(Shortcoming) {
      return (try table.expression(of: key), [])
    } catch {
      guard let head = key.steps.first, key.steps.count > 1 else { throw error }
      return (try table.expression(of: ObjectKeyPath([head])), Array(key.steps.dropFirst()))
    }
  }

  /// Rows of a value and its number of objects, in the order of first appearance if that matters.
  private func groupRows(
    of column: ColumnExpression, sort: [SortDescriptor], _ key: ObjectKeyPath, needsFirst: Bool
  ) async throws -> [[Value]] {
    let rows = selection.nested(table)
    guard needsFirst else {
      return try await read(
        "SELECT \(column.sql), count(*)\(rows.rows()) GROUP BY \(column.sql) "
          + "ORDER BY \(column.sql)")
    }
    if let term = rows.requestedOrder.first, sort.first?.keyPath == key,
      term.sql.shown == column.sql.shown
    {
      return try await read(
        """
        SELECT \(column.sql), count(*)\(rows.rows()) GROUP BY \(column.sql) \
        ORDER BY \(term.ordered(dialect))
        """)
    }
    if rows.requestedOrder.isEmpty, rows.isUnique, rows.identity.count == 1,
      let identity = rows.identity.first
    {
      return try await read(
        """
        SELECT \(column.sql), count(*)\(rows.rows()) GROUP BY \(column.sql) \
        ORDER BY \(dialect.least(identity.sql, of: table.schema))
        """)
    }
    let numbered = dialect.numbering(
      ["\(column.sql) AS \(SQL(dialect.name("dsshell_key")))"], from: rows.rows(),
      orderedBy: rows.order.clause(dialect), as: "dsshell_number")
    let name = SQL(dialect.name("dsshell_key"))
    return try await read(
      """
      SELECT \(name), count(*) FROM (\(numbered)) AS dsshell_numbered GROUP BY \(name) \
      ORDER BY min(\(SQL(dialect.name("dsshell_number"))))
      """)
  }

  /// Sections by dates: each span is one group, and one of its values shows its title.
  private func spans(
    of key: ObjectKeyPath, _ mode: SectionMode, _ settings: SectionSettings
  ) async throws -> SectionLayout? {
    let column = try table.expression(of: key)
    let span: ColumnExpression
    do throws(Shortcoming) {
      span = try dialect.span(mode, settings, of: column)
    } catch {
      return nil
    }
    let rows = try await read(
      """
      SELECT \(span.sql), count(*), min(\(column.sql))\(selection.nested(table).rows()) \
      GROUP BY \(span.sql)
      """)
    return try await place(rows, by: span, key, [], mode, settings, representative: 2)
  }

  /// Lets the mode split the values of the groups, as if each were one object.
  ///
  /// - Parameter representative: the column with a value of the key.
  private func place(
    _ rows: [[Value]], by column: ColumnExpression, _ key: ObjectKeyPath,
    _ rest: [ObjectKeyPath.Step], _ mode: SectionMode, _ settings: SectionSettings,
    representative: Int = 0
  ) async throws -> SectionLayout {
    var settings = settings
    let order = settings.order
    if order?.criterion == .count { settings.order = nil }
    let values = ValueTable(
      rows.map { row in
        .record(Record([("value", row[representative].typed(as: column.kind))]))
      })
    let path = ObjectKeyPath([.key("value")] + rest)
    let split = try mode.split(
      KeyedRows(
        values, key: path, order: .natural(rows.count), cancellation: context.cancellation),
      settings)
    var sections = (0..<split.sections.count).map { section in
      var result = GroupedSections.Section(
        title: split.sections.titles[section], members: [], count: 0)
      for position in split.sections.offsets[section]..<split.sections.offsets[section + 1] {
        let row = rows[split.order[position]]
        result.members.append(row[0])
        result.count += row.count(1)
      }
      return result
    }
    if let order, order.criterion == .count {
      let isDescending = order.direction == .descending
      let sorted = sections.enumerated().sorted { left, right in
        let (first, second) = (left.element.count, right.element.count)
        if first == second { return left.offset < right.offset }
        return isDescending ? first > second : first < second
      }
      sections = sorted.map(\.element)
    }
    if let large = sections.first(where: { $0.members.count > Self.maxMembers }) {
      throw Shortcoming(
        "the section \(large.title.excerpt) has \(large.members.count.grouped) different values")
    }
    // In the other modes, the mode makes the titles.
    let hasValues = mode.name == SectionMode.groups.name
    return try await grouped(
      by: column, hasValues ? key : nil, sections, listed: split.sections.listed,
      isContiguous: false)
  }

  // MARK: -

  /// The sections, without the rows that the window of the selection leaves out.
  ///
  /// - Parameter key: the key whose values are the titles; nil for other titles.
  private func grouped(
    by column: ColumnExpression, _ key: ObjectKeyPath?, _ sections: [GroupedSections.Section],
    listed: [ListedTitle]? = nil, isContiguous: Bool
  ) async throws -> SectionLayout {
    var groups = GroupedSections(
      key: column, sections: sections, listed: listed, isContiguous: isContiguous)
    if isContiguous {
      groups = groups.window(from: selection.offset, atMost: selection.limit).groups
    }
    if let key, column.facts.variants != .none { try await setTitles(of: &groups, key) }
    return .grouped(groups)
  }

  /// Sets titles to the values of the sections' first objects: the value of a group that an engine
  /// returns may be that of another object, in another form.
  private func setTitles(of groups: inout GroupedSections, _ key: ObjectKeyPath) async throws {
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

extension GroupedSections {
  /// The sections with the rows that remain after `offset`, counted over all sections, and their
  /// positions before. Sections without rows are removed.
  func window(from offset: Int, atMost limit: Int?) -> (groups: GroupedSections, kept: [Int]) {
    guard offset > 0 || limit != nil else { return (self, Array(sections.indices)) }
    var result = self
    result.sections = []
    result.listed = nil
    result.isWindow = true
    var kept: [Int] = []
    var position = 0
    let end = limit.map { offset.addingReportingOverflow($0) }.map { $1 ? Int.max : $0 } ?? .max
    for (index, section) in sections.enumerated() {
      let low = max(position, offset)
      let high = min(position + section.count, end)
      if low < high {
        var part = section
        part.start += low - position
        part.count = high - low
        result.sections.append(part)
        kept.append(index)
      }
      position += section.count
    }
    return (result, kept)
  }
}

extension [Value] {
  /// The count in a column of a row.
  func count(_ column: Int) -> Int {
    if case .integer(let count) = self[column] { count } else { 0 }
  }
}
