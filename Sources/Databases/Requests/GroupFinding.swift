import DataSources
import DataTables

/// Finds sections whose order does not depend on the order of the rows.
struct GroupFinding {
  private let finding: SectionFinding
  private let key: ObjectKeyPath
  private let mode: SectionMode
  private let settings: SectionSettings
  private let sort: [SortDescriptor]

  init(
    _ finding: SectionFinding, by key: ObjectKeyPath, _ mode: SectionMode,
    _ settings: SectionSettings, sort: [SortDescriptor]
  ) {
    self.finding = finding
    self.key = key
    self.mode = mode
    self.settings = settings
    self.sort = sort
  }

  private var table: DatabaseTable { finding.table }
  private var selection: RowSelection { finding.selection }
  private var dialect: any SQLDialect { finding.dialect }

  func sections() async throws -> SectionLayout {
    if mode.isByDates, let spans = try await spans() { return spans }
    let (column, rest) = try grouping()
    let needsFirst =
      mode.isByValue && settings.order.map { $0.criterion == .count || !$0.titles.isEmpty } ?? true
    guard needsFirst else {
      return try await place(try await rows(of: column), by: column, rest)
    }
    let rows = selection.nested(table)
    if let term = rows.requestedOrder.first, sort.first?.keyPath == key,
      term.sql.shown == column.sql.shown
    {
      // The first objects of the groups have the order of the key. Groups that are sorted or joined
      // have another one, and their titles cannot be paged.
      guard settings.order == nil, rest.isEmpty else {
        return try await place(
          try await finding.rows(by: column, of: rows, orderedBy: term), by: column, rest)
      }
      switch try await finding.groups(by: column, of: rows, orderedBy: term) {
      case .paged(let layout): return layout
      case .rows(let rows): return try await place(rows, by: column, rest)
      }
    }
    return try await place(try await rowsInOrder(of: column, rows), by: column, rest)
  }

  /// The expression to group by, and the steps that remain to be derived from its values.
  private func grouping() throws -> (ColumnExpression, [ObjectKeyPath.Step]) {
    do throws(Shortcoming) {
      return (try table.expression(of: key), [])
    } catch {
      guard let head = key.steps.first, key.steps.count > 1 else { throw error }
      return (try table.expression(of: ObjectKeyPath([head])), Array(key.steps.dropFirst()))
    }
  }

  /// Rows of a value and its number of objects.
  private func rows(of column: ColumnExpression) async throws -> [[Value]] {
    try await finding.read(
      "SELECT \(column.sql), count(*)\(selection.nested(table).rows()) GROUP BY \(column.sql) "
        + "ORDER BY \(column.sql)")
  }

  /// Rows of a value and its number of objects, in the order of first appearance.
  private func rowsInOrder(
    of column: ColumnExpression, _ rows: RowSelection
  ) async throws -> [[Value]] {
    if rows.requestedOrder.isEmpty, rows.isUnique, rows.identity.count == 1,
      let identity = rows.identity.first
    {
      return try await finding.read(
        """
        SELECT \(column.sql), count(*)\(rows.rows()) GROUP BY \(column.sql) \
        ORDER BY \(dialect.least(identity.sql, of: table.schema))
        """)
    }
    let numbered = dialect.numbering(
      ["\(column.sql) AS \(SQL(dialect.name("dsshell_key")))"], from: rows.rows(),
      orderedBy: rows.order.clause(dialect), as: "dsshell_number")
    let name = SQL(dialect.name("dsshell_key"))
    return try await finding.read(
      """
      SELECT \(name), count(*) FROM (\(numbered)) AS dsshell_numbered GROUP BY \(name) \
      ORDER BY min(\(SQL(dialect.name("dsshell_number"))))
      """)
  }

  /// Sections by dates: each span is one group, and one of its values shows its title.
  private func spans() async throws -> SectionLayout? {
    let column = try table.expression(of: key)
    let span: ColumnExpression
    do throws(Shortcoming) {
      span = try dialect.span(mode, settings, of: column)
    } catch {
      return nil
    }
    let rows = try await finding.read(
      """
      SELECT \(span.sql), count(*), min(\(column.sql))\(selection.nested(table).rows()) \
      GROUP BY \(span.sql)
      """)
    return try await place(rows, by: span, [], representative: 2)
  }

  /// Lets the mode split the values of the groups, as if each were one object.
  ///
  /// - Parameter representative: the column with a value of the key.
  private func place(
    _ rows: [[Value]], by column: ColumnExpression, _ rest: [ObjectKeyPath.Step],
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
        values, key: path, order: .natural(rows.count), cancellation: finding.context.cancellation),
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
    if let large = sections.first(where: { $0.members.count > StoreLimits.maxListed }) {
      throw Shortcoming(
        "the section \(large.title.excerpt) has \(large.members.count.grouped) different values")
    }
    // In the other modes, the mode makes the titles.
    return try await finding.grouped(
      by: column, mode.isByValue ? key : nil, sections, listed: split.sections.listed,
      isContiguous: false)
  }
}
